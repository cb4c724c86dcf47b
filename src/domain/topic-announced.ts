/** Words that react to what came before, at the start of a turn. */
const REACTION =
  /^(?:ok|okay|k|right|nice|ha|haha|lol|lovely|yes|yeah|yep|great|cool|thanks|thank you|ta|good|perfect|done|sent|anyways?|so|and|but|oh|um|well|alright)(?![\p{L}\p{N}'])[\s.,!…:;–-]{0,9}/iu;
const MOST_REACTIONS = 4;

/** Words by which people say that they come to something else. */
const ANNOUNCEMENT = new RegExp(
  `^(?:${[
    'unrelated',
    'sidebar',
    'side ?note',
    'off[- ]topic',
    '(?:on )?(?:a |an |another )?(?:totally |completely )?(?:different|separate|other|another|new|next|random|side) (?:thing|topic|question|q|subject|matter|note|problem|news)',
    '(?:a |one )?(?:dumb|stupid|silly|weird|quick|random|short) (?:q|question|one|thing)',
    '(?:one|1) (?:more|last|other) (?:big |quick |small )?(?:thing|one|question|q)',
    'p\\.?s\\.?',
    '(?:change of|changing|change) (?:the )?(?:subject|topic)',
    'speaking of',
    'next(?: up)?(?=[.:,])',
    "while (?:you'?re|ur|i'?m) (?:here|there|at it|in there)",
    'back to (?:work|business)',
    'part (?:2|two|3|three)(?=[.:,])',
    'actual (?:problem|question)',
    '(?:what|something) else(?=[.:,])',
    'q(?=[.:])',
    'random(?=[.:,])',
  ].join('|')})(?![\\p{L}\\p{N}])`,
  'iu',
);

/** Whether a turn says of itself that it opens another topic: "ok, unrelated: …". English. */
export function announcesTopic(text: string): boolean {
  let rest = text.trimStart().slice(0, 200).replaceAll('’', "'");
  for (let count = 0; count <= MOST_REACTIONS; count++) {
    if (ANNOUNCEMENT.test(rest)) return true;
    const shorter = rest.replace(REACTION, '');
    if (shorter === rest) return false;
    rest = shorter;
  }
  return false;
}
