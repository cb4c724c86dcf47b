import { factKey } from '../../../../domain/facts/fact-key.ts';
import { WEEKDAY } from '../../../../language/en/time/named-date.ts';
import { pattern, source } from '../../../../language/text/pattern.ts';
import type { Clause } from '../text/clauses.ts';
import {
  asCorrections,
  type Draft,
  END,
  type More,
  NEGATIVE,
  type Rule,
  rule,
  stated,
} from '../text/draft.ts';
import { clauseOf, deedOf } from '../text/phrases.ts';
import { SUFFER } from './limits.ts';

const TIME_OF_DAY_OR_WEEK = source`
  ${WEEKDAY}s?|weekends?|weekdays?|weeknights?|mornings?|evenings?|afternoons?|nights?|school holidays|lunchtimes?
  |bank holidays
`;
const WHEN = source`
  (?<when>(?:(?:the |on |every |any |early |late |in the |at |all |most |during the |school |working ){0,4}(?:
  ${WEEKDAY} )?(?:${TIME_OF_DAY_OR_WEEK})(?:,? (?:and|or|nor) (?:on )?(?:${WEEKDAY} )?(?:${TIME_OF_DAY_OR_WEEK})){0,6}|(?:after|before|between|from
  |until|past|till) (?:(?:\d{1,2}(?:[:.]\d\d)?|noon|midday|lunch|six|seven|eight|nine|ten|five|four|three)(?: ?(?:am
  |pm|a\.m\.|p\.m\.|o'clock))?)(?: (?:and|to) \d{1,2}(?:[:.]\d\d)? ?(?:am|pm)?)?(?: (?:on )?(?:weekdays|weekends
  |\p{L}+days))?))
`;

const STANDING_TIME = pattern('i')`
  days\b|weekends|mornings|evenings|afternoons|nights|weekdays|holidays|lunchtimes|\b(?:every|any|ever|always|never
  |all|generally|usually|only)\b
`;

/** Drafts an availability. A single day is an appointment; plural days, "every" and "ever" make a rule. */
function available(when: string, text: string, says: string, more: More = {}): Draft[] {
  const isStanding =
    STANDING_TIME.test(`${when} ${text}`) &&
    !/\b(?:this|next|coming|tomorrow|last) (?:\p{L}+day|week|morning|weekend|evening|afternoon)\b/iu.test(
      text,
    );
  if (!isStanding) return [];
  const values = when
    .replace(/^(?:on|in|at|during|the|every|any|all|most) /gi, '')
    .split(/,? (?:and|or|nor) (?:on )?/);
  return values.map((value) => {
    const day = value.replace(/^(?:the|on|every|any|all|in the) /i, '');
    const key = factKey('constraint:availability', day);
    const fact = `is ${says} on ${value.trim()}`;
    return stated('CONSTRAINT', value.trim(), fact, { key, importance: 0.7, ...more });
  });
}
const AROUND = source`
  available|free|around|reachable|in|contactable|online|at my desk|working|off work|open|in the office|time
`;
const MEET = source`
  do|make|work|manage|come(?: in)?|attend|answer|talk|join|meet(?: up)?|get away|be reached|have (?:time|meetings
  |calls)|(?:take|do|schedule|book) (?:calls|meetings|anything)
`;
const yes = (when: string, { text }: Clause) =>
  available(when, text, /\bonly\b/.test(text) ? 'only available' : 'available');
const no = (when: string, { text }: Clause) => available(when, text, 'not available', NEGATIVE);

/** When the user has time. */
export const AVAILABILITY: readonly Rule[] = [
  rule(no)`
    We (?:am|are|was) (?:not|never|no longer|hardly ever|rarely) ~(?:ever )?(?:${AROUND})
    (?: at all)? (?:on |in |at |during )?${WHEN}
  `,
  rule(no)`
    We (?:am|are) ~(?:always |permanently )?(?:unavailable|busy|out|away|off|tied up|booked|at the dialysis|in class
    |in lectures|unreachable|offline)(?: at \w+| all day)? (?:on |in |at |during )?${WHEN}
  `,
  rule(no)`
    We (?:can not|can never|do not|never|no longer|will not|could never|won't|have never been able to) ~(?:ever )?
    (?:${MEET})(?: meetings| calls| on calls)? ?(?:on |in |at |for |during )?${WHEN}
  `,
  rule((when, clause) =>
    /\b(?:work|suit|good|possible|option|convenient|fit)/.test(clause.text)
      ? no(when, clause)
      : null,
  )`
    ${WHEN} (?:(?:just|really|simply|never|generally|do|does|are|is) ){0,4}(?:not|never) (?:really |ever |an option
    |possible)?(?:work|works|good|suit|suits|possible|an option|work out|do|convenient|fit)?(?: for me| me)?\b
  `,
  rule(no)`
    ${WHEN} (?:are|is) ~(?:out|off limits|off-limits
    |impossible|no good|a no-go|bad|blocked|taken|a no go|terrible|hopeless|sacred|reserved|family time|full)\b
  `,
  rule((when, clause) =>
    /^(?:off|not in|out) (?:on )?\p{L}+days\b/iu.test(clause.text) ? no(when, clause) : null,
  )`
    (?:off|not in|out) (?:on )?${WHEN}
  `,
  rule((when, clause) =>
    /meeting|call|appoint|nothing|book|class/.test(clause.text) ? no(when, clause) : null,
  )`
    (?:please )?(?:no|never any|nothing) (?:meetings?|calls?|appointments?|bookings|classes|anything)? ?(?:on |in )?
    ${WHEN}(?: for me| please|,| ever|$|\.)
  `,
  rule(yes)`
    We (?:am|are|have) ~(?:back to being |never ){0,4}(?:${AROUND})(?: again
    | only)? (?:on |in |at |during |for you )?(?:only )?${WHEN}
  `,
  rule((when, clause) =>
    /\b(?:only|again|always|just)\b/.test(clause.text) &&
    !/^(?:I|we) (?:work|do|make) /.test(clause.text)
      ? yes(when, clause)
      : null,
  )`
    We (?:can|could|only|just|prefer to)? ?(?:only|always|just|again|now|usually)? ?(?:can )?(?:${MEET}
    |am in)(?: only| just)? (?:on |in |at )?${WHEN}
  `,
  rule(yes)`
    ${WHEN} (?:(?:is|are) (?:the only (?:day|days|time)|fine again|ok again|free again|possible again|the best days?
    |best)|(?:work|works|suit|suits) (?:again|best|for me again|me best|for me best)|only (?:work|suit))
  `,
];

const CONDITION = source`
  (?:type (?:1|2|one|two) diabetes|diabetes|asthma|co?eliac(?: disease)?|crohn'?s(?: disease)?|ibs|adhd|add|autism
  |dyslexia|dyscalculia|dyspraxia|epilepsy|arthritis|rheumatoid arthritis|migraines?|chronic (?:migraines?|pain
  |fatigue|back pain)|fibromyalgia|endometriosis|tinnitus|vertigo|insomnia|sleep apno?ea|(?:high|low) blood pressure
  |hypertension|eczema|psoriasis|hay ?fever|scoliosis|parkinson'?s|multiple sclerosis|ms|lupus|anxiety|depression
  |ocd|bipolar disorder|ptsd|(?:bad|dodgy|weak) (?:back|heart|knees?|ankles?|hips?|shoulder|eyesight|hearing
  |wrists?)|kidney disease|gout|carpal tunnel|rsi|raynaud'?s|ana?emia|(?:acid )?reflux|hearing loss|low vision
  |colou?r[- ]blindness|prosthetic leg|pacemaker|herniated disc|slipped disc|fear of (?:heights|flying|spiders
  |needles|dogs|the dark)|phobia of [\p{L} ]+|service dog|guide dog|hearing aids?|cochlear implant|limited mobility
  |mobility issues|tremor|long covid|(?:a )?stammer|stutter|gluten (?:intolerance|sensitivity)|gestational diabetes
  |(?:heart|back|knee|thyroid) (?:problems|condition)|hypothyroidism)
`;
const STATE = source`
  (?:colou?r[- ]?blind|blind|deaf|hard of hearing|hearing[- ]impaired|visually impaired|partially sighted|dyslexic
  |diabetic|epileptic|asthmatic|autistic|co?eliac|near-?sighted|short-?sighted|left-handed|ana?emic
  |wheelchair[- ]bound|paraplegic|quadriplegic|paraly[sz]ed|disabled|mute|non-verbal|neurodivergent|claustrophobic
  |agoraphobic|immunocompromised|legally blind|red-green colou?r[- ]?blind|insulin[- ]dependent|bipolar|one-handed
  |teetotal|a teetotaller|sober|pregnant|arthritic|haemophiliac|photosensitive|housebound|face blind|tone deaf)
`;

const limited = (value: string, says: string, more: More = {}): Draft =>
  stated('CONSTRAINT', value, says, { importance: 0.85, ...more });
const lacks = (what: string): Draft => limited(what, `has no ${what}`, NEGATIVE);

const LACKING = source`
  (?:(?:driv(?:ing|er'?s) )?licen[cs]e|car|bike|bicycle|passport|smartphone|phone|printer|oven|freezer|microwave
  |dishwasher|washing machine|garden|balcony|credit card|bank account|tv|television|computer|laptop|landline|visa
  |degree|internet at home|blender|food processor|air fryer|(?:kitchen )?scales?|drill|sewing machine
  |air conditioning|lift|elevator|garage|bath|bathtub|social media|(?:health )?insurance|work permit|scanner|webcam
  |(?:stand )?mixer|grill|barbecue|cellar|parking space|hob)
`;

const TRANSIENT = pattern('i')`
  \b(?:at the moment|for (?:now|the moment|today|tonight)|temporarily|right now|until|this (?:week|month|morning
  |evening)|for (?:a few|the next|another|a couple of|two|three|six|\d) (?:days|weeks)|broken (?:ankle|leg|foot|toe
  |arm|wrist))\b
`;
/** Restricts rules to lasting limits: those for a while are not kept. */
const lasting = (rules: readonly Rule[]): readonly Rule[] =>
  rules.map((one) => ({
    ...one,
    read: (found, clause, scene) =>
      TRANSIENT.test(clause.sentence) ? null : one.read(found, clause, scene),
  }));

/** Limits by health, money and body. */
export const CIRCUMSTANCES: readonly Rule[] = lasting([
  rule((aid, { text }) =>
    limited(aid, `uses ${clauseOf(text.replace(/^(?:I|we) (?:am )?(?:\w+ )/, '')) || aid}`),
  )`
    We (?:am in|use|am using|need|depend on|rely on|get around (?:in|with|on)|move around in|have|walk with|wear
    |am on|have to use|live with) (?:an? |my |the )?(?:electric |power |manual |walking )?(?<aid>wheelchair|crutches
    |walking frame|walking stick|cane|rollator|walker|mobility scooter|hearing aids?|screen ?reader|guide dog
    |service dog|cochlear implants?|prosthe(?:sis|tic)(?: leg| arm)?|oxygen|insulin pump|white cane|assistance dog
    |stairlift|braille display|pacemaker|zimmer frame|magnifier)\b
  `,
  rule((aid) => limited(aid, `is a ${aid} user`))`
    I am ~an? (?<aid>wheelchair|screen[- ]reader|crutch|hearing aid|guide dog) (?:user|owner)
  `,
  rule((state, { text }) =>
    limited(/type (?:1|2|one|two) /.exec(text)?.[0].concat(state) ?? state, `is ${state}`),
  )`
    We (?:am|was|have been|am actually|was born) ~(?:(?:partially|severely|slightly|legally|almost|profoundly|nearly
    |mildly|an?|type (?:1|2|one|two)|technically) ){0,4}(?<state>${STATE}(?: in (?:one|my (?:left|right)
    |both) (?:ears?|eyes?))?)(?=[\s,.;!?)]|$)(?! (?:to|by|with (?:envy|rage)|spot|date|myself to|drunk))
  `,
  rule((what, { text }) => limited(what, `has ${clauseOf(text.slice(text.indexOf(what)))}`))`
    We ~(?:${SUFFER}|get)(?: an?| really| quite| pretty| very| severe| mild| bad| chronic| some| terrible| my| late
    | adult){0,4} (?<what>${CONDITION})(?=[\s,.;!?)]|$)
  `,
  rule((what) => limited(what, `has ${what}`))`
    my (?<what>${CONDITION}) (?:means|makes|is|acts|gets|flares|limits|does not|will not|rules|keeps)
  `,
  rule((what) => limited(what, `is afraid of ${what}`))`
    I am ~(?:afraid|scared|terrified|frightened) of (?<what>heights|flying|spiders|needles|dogs|the dark|water
    |deep water|snakes|crowds|elevators|lifts|enclosed spaces|thunder|public speaking|clowns|cats|horses|mice
    |open water|escalators|tunnels|boats|bridges|driving|birds|dentists|the dentist|wasps|bees|ghosts|planes)
  `,
  rule(lacks)`
    We (?:(?:do not|no longer|have not|never|never had|do not yet|have never) ~(?:ever )?(?:have|own|got|possess|had|owned
    |hold) (?:an? |any |the |my )?|have (?:no|neither an?|zero) )(?:(?:own|valid|full|big|proper|working|home) ){0,4}
    (?<what>${LACKING})(?=[\s,.;!?)]|$)(?! (?:on me|with me|at hand|to hand|here|today|yet with))
  `,
  rule((what) => asCorrections(lacks(what)))`
    We (?:sold|gave up|got rid of|have sold) (?:my|our|the) (?<what>car|bike|tv|television|smartphone)\b
  `,
  rule((deed) => limited(deed, `cannot or does not ${deed}`, NEGATIVE))`
    We (?:do not|can not|am not able to|never|no longer|am not allowed to|can no longer|may not|must not
    |am unable to|physically can not) ~(?:ever )?(?<deed>drive|fly|climb stairs|take stairs|walk (?:far
    |long distances|very far)|lift (?:anything )?(?:heavy|weights?)[\p{L} ]*|stand (?:for )?(?:long|hours)|run|swim
    |kneel|travel (?:by plane|alone)|work (?:nights|weekends|on weekends|at night|full time|full-time|from home
    |overtime|late)|do (?:night shifts|heights|stairs|phone calls|late nights)|sit (?:for )?(?:long|hours)
    |see (?:colou?rs?|red)|smell|hear (?:well|high)[\p{L} ]*|take (?:ibuprofen|aspirin|the stairs)|use stairs
    |answer (?:the phone|calls))(?: at all| anymore| any longer| yet)?${END}
  `,
  rule((what) => limited(what, `is on ${what}`))`
    We (?:am|are) ~on (?:an? )?(?<what>(?:(?:very|really|pretty|super|quite) )?(?:tight|small|limited|student
    |shoestring|strict|low|minimal) budget|blood thinners|insulin|beta blockers|antidepressants|warfarin)\b
  `,
  rule((what, { text }) =>
    /\bcan only\b/.test(text) &&
    deedOf(what).split(' ').length <= 6 &&
    !/^(?:one|this|that|it|two|when|if|so)\b/i.test(what)
      ? limited(deedOf(what), clauseOf(text.replace(/^(?:I|we) /, '')))
      : null,
  )`
    We (?:can only|only) (?:eat|drink|wear|travel|use|work|fly|walk|sleep) (?<what>.+)
  `,
]);
