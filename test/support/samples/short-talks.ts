/** Seven conversations of four turns, each about a topic of its own. */
const TALKS = [
  [
    'The boiler in the cellar drips since Monday.',
    'From the valve or from the tank?',
    'From the valve, I close it tonight.',
    'Good, a plumber can change the seal.',
  ],
  [
    'How long do I roast pumpkin seeds?',
    'Twenty minutes at 160 degrees.',
    'With salt and paprika then.',
    'Stir them once halfway.',
  ],
  [
    'My passport runs out in June.',
    'Renewing takes six weeks.',
    'I booked the town hall for Thursday at nine.',
    'Bring a photo and the old one.',
  ],
  [
    'Nadia starts cello lessons.',
    'A half size cello fits an eight year old.',
    'We rent one from the music school.',
    'Ask for a soft case too.',
  ],
  [
    'Aphids are all over the roses.',
    'Ladybird larvae eat them.',
    'I ordered two hundred larvae.',
    'Release them in the evening.',
  ],
  [
    'Which form is it for freelance income?',
    'It goes on schedule C.',
    'I filed it yesterday with the receipts.',
    'Keep the receipts for seven years.',
  ],
  [
    'The dentist wants to pull a wisdom tooth.',
    'Ask for an X-ray first.',
    'The surgery is on Friday the 20th.',
    'Eat soft food for two days.',
  ],
] as const;

/** Returns the turns of one of them, a minute apart, by the user and the assistant. */
export const shortTalk = (which: number, from: string) =>
  (TALKS[which] ?? []).map((text, minute) => ({
    text,
    role: minute % 2 ? ('ASSISTANT' as const) : ('USER' as const),
    occurredAt: new Date(Date.parse(from) + minute * 60_000).toISOString(),
  }));
