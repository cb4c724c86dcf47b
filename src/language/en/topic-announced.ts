import { IgnoringCase } from '../text/ignoring-case.ts';
import { pattern, source } from '../text/pattern.ts';

/** Reactions to what came before, at the start of a turn. */
const REACTION = pattern('iu')`
  ^(?:ok|okay|k|right|nice|ha|haha|lol|lovely|yes|yeah|yep|great|cool|thanks|thank you|ta|good|perfect|done|sent
  |anyways?|so|and|but|oh|um|well|alright)(?![\p{L}\p{N}'])[\s.,!…:;–-]{0,9}
`;
const MOST_REACTIONS = 4;

/** Words that announce a change of topic. */
const ANNOUNCEMENT = new IgnoringCase(
  `^(?:${[
    'unrelated',
    'sidebar',
    'side ?note',
    'off[- ]topic',
    source`
      (?:on )?(?:a |an |another )?(?:totally |completely )?(?:different|separate|other|another|new|next|random
      |side) (?:thing|topic|question|q|subject|matter|note|problem|news)
    `,
    '(?:a |one )?(?:dumb|stupid|silly|weird|quick|random|short) (?:q|question|one|thing)',
    '(?:one|1) (?:more|last|other) (?:big |quick |small )?(?:thing|one|question|q)',
    source`
      (?:the |my |on to the )?(?:second|third|fourth|last|final|real|actual|main|serious|work|home|school|personal
      |private) (?:thing|question|q|problem|matter|issue|news|stuff|topic)
    `,
    'p\\.?s\\.?',
    '(?:change of|changing|change) (?:the )?(?:subject|topic)',
    'speaking of',
    'next(?: up)?(?=[.:,])',
    "while (?:you'?re|ur|i'?m) (?:here|there|at it|in there)",
    'back to (?:work|business)',
    'part (?:2|two|3|three)(?=[.:,])',
    '(?:what|something) else(?=[.:,])',
    'q(?=[.:])',
    'random(?=[.:,])',
  ].join('|')})(?![\\p{L}\\p{N}])`,
);

/** "Also, …" adds something, which may be another topic. */
const ALSO = /^(?:also|plus|btw|by the way)(?![\p{L}\p{N}])/iu;
/** Refers back to what was said last. */
const BACK = pattern('iu')`
  ^(?:it|it's|its|that|that's|thats|they|he|she|this|those|these|both|all|none|same|you|your|no|nope|why|which
  |what if|how do i)(?![\p{L}\p{N}'])
`;

/** Whether a turn announces another topic: "ok, unrelated: …". English. */
export const announcesTopic = (text: string): boolean => opensWith(text, ANNOUNCEMENT);
export const opensAlso = (text: string): boolean => opensWith(text, ALSO);
export const refersBack = (text: string): boolean => opensWith(text, BACK);

/** Whether a turn begins with a pattern, possibly after a few words of reaction. */
function opensWith(text: string, pattern: RegExp): boolean {
  let rest = text.trimStart().slice(0, 200).replaceAll('’', "'");
  for (let count = 0; count <= MOST_REACTIONS; count++) {
    if (pattern.test(rest)) return true;
    const shorter = rest.replace(REACTION, '');
    if (shorter === rest) return false;
    rest = shorter;
  }
  return false;
}
