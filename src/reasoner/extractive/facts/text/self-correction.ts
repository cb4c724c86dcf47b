import { keyPart } from '../../../../domain/facts/fact-key.ts';
import { IgnoringCase } from '../../../../language/text/ignoring-case.ts';
import { pattern, source } from '../../../../language/text/pattern.ts';
import { trimEndOf } from '../../../../language/text/trim-end.ts';
import { capitalised } from '../../text/clean-text.ts';
import { personNameOf } from './person-names.ts';
import { upTo } from './phrases.ts';
import { isTown } from './places.ts';
import { frameOf } from './profile.ts';
import type { Scene } from './scene.ts';
import { CALENDAR } from './words.ts';

/** "Graz, no wait, Linz": what was said, the cue, and what was meant. */
const CUE = pattern('gi')`
  (?:no,? wait|wait,? no|no no|oh wait|wait|I mean(?:t)?|sorry,?(?: I mean(?:t)?)?|or rather|rather|scratch that
  |correction:?|make that|oops|no sorry|I meant to say|strike that|my mistake|my bad|no|typo|that is|err?|uh
  |um)[,:]{0,3}\s+(?:not [^,]{1,60}, )?(?:(?:I mean(?:t)?|it is|it's|sorry,?|actually|make that|that is|rather|no,?
  |I should say) ){0,4}
`;

/** The index at which the marks before a cue begin: ", (". */
function startOfMarks(text: string): number {
  const before = text.trimEnd();
  return trimEndOf((before.endsWith('(') ? before.slice(0, -1) : before).trimEnd(), /[,.;:–—-]/)
    .length;
}

/** Splits a sentence that corrects itself; null if it does not. */
export function selfCorrection(sentence: string): { said: string; meant: string } | null {
  for (const found of sentence.matchAll(CUE)) {
    const end = found.index + found[0].length;
    const said = sentence.slice(0, startOfMarks(sentence.slice(0, found.index)));
    const meant = sentence.slice(end);
    const cue = sentence.slice(said.length, end).trim();
    const isBare = /^(?:sorry|wait|no|rather|that is|err?|uh|um|my bad|oops)\b/i.test(found[0]);
    const separated =
      /^[,.;:(–—-]/.test(cue) ||
      /\b(?:wait|mean|meant|scratch|correction|make that|rather)\b/i.test(cue);
    if (said.trim() === '' || meant.trim() === '' || !separated) continue;
    if (isBare && (cue.length < 4 || !/[,:]/.test(cue.slice(1))) && !/wait/i.test(cue)) continue;
    return { said, meant };
  }
  return null;
}

const OOPS = source`
  oops|whoops|sorry|wait|no|argh|typo|correction|actually|oh|ah|fat fingers|my bad|my mistake|i meant?|hang on|hold on
  |scratch that|strike that|make that
`;
const AGAIN = pattern('i')`
  ^(?:(?:${OOPS})[,.! ]+){0,4}(?:(?:it|that)(?:'s| is| should (?:be|have been|say))|it should have been|should be
  |make (?:that|it)|i meant?|meant|they'?re|they are|the (?:right|correct) (?:one|number|address|spelling|name
  |date) is|correct(?:ion)? is)(?: actually| now| really)?:?\s+(?<value>\S.*)
`;
const SORRY = pattern('i')`
  \b(?:${OOPS}|wrong|mistake|mistyped|misspelled|misspelt|i mean|meant|should be|changed|updated?|new|not right
  |mixed up|swapped|should have|now|moved|these days|by the way)\b
`;

const LEAD = source`
  (?:(?:${OOPS}|well|but|and)[,.!: ]+){0,4}(?:(?:it|that)(?:'s| is| should be)|i meant?|make that|i am|i'm)? ?
`;
const VALUE = '[\\p{L}\\p{N}][^,.;:!?()]{0,60}?';
/** "It's Bath, not Bristol", "not Bristol, Bath", "I said Bristol, I meant Bath". */
const CONTRASTS = [
  `(?<meant>${VALUE}),? (?:and )?not (?:in |at |for )?(?<wrong>${VALUE})`,
  `not (?:in |at |for )?(?<wrong>${VALUE})[,.;:!]? {0,2}(?:but |it's |it is |i meant? )?(?<meant>${VALUE})`,
  `i (?:said|wrote|put) (?<wrong>${VALUE}),? (?:but )?(?:i meant?|it's|it is|make that) (?<meant>${VALUE})`,
].map((source) => new IgnoringCase(`^\\W{0,3}${LEAD}${source}[.!]?$`));

const MEANT = /\bmeant?\b/i;

/** Completes a contrast if its wrong value was stated before: "Bath, not Bristol" → "I live in Bath". Null if not. */
export function contrasted(text: string, { said, beings }: Scene): string | null {
  for (const pattern of CONTRASTS) {
    const { meant = '', wrong = '' } = pattern.exec(text)?.groups ?? {};
    const being = beings.get(keyPart(wrong));
    if (being && MEANT.test(text) && said.at(-1)?.key?.includes(`:${being.who}:`))
      return `my ${being.role}'s name is not ${wrong}, it is ${meant}`;
    const before = said.findLast(({ value }) => value.toLowerCase() === wrong.toLowerCase());
    const frame = frameOf(before?.key);
    if (!before || !frame || meant === '') continue;
    const isName = /^\p{Lu}/u.test(before.value);
    return `${frame} ${isName ? capitalised(meant) : meant}`;
  }
  return null;
}

/**
 * Completes a correction by the fact stated last: "sorry, it's Pat Dillan" → "my name is Pat Dillan". Null if there is none, or if
 * it was stated before the turn before this one.
 */
export function restated(sentence: string, turn: string, scene: Scene): string | null {
  const last = scene.said.at(-1);
  if (!last || last.turn < scene.turn - 1) return null;
  const frame = frameOf(last.key);
  const again = AGAIN.exec(sentence)?.groups?.value;
  const value =
    again !== undefined && isOfKind(again, last) ? again : bareValue(sentence, last.key);
  const isMeant =
    SORRY.test(sentence) ||
    OPENS_SORRY.test(turn) ||
    (SORRY.test(turn) && /[\d@]/.test(value ?? ''));
  return frame && value && isMeant ? `${frame} ${value}` : null;
}

const OPENS_SORRY = pattern('i')`^\W*(?:${OOPS}|update)\b`;
const BARE = pattern('iu')`
  ^(?:(?:${OOPS})[,.!: ]+)+(?<value>\d{1,3}(?= |[,.!]|$).*|\p{Lu}[\p{L}\p{M}'’-]+(?: \p{Lu}[\p{L}\p{M}'’-]+)?
  (?=[,.!]?$|, ))
`;

const NAME_KEY = /^profile:(?:name|full_name|city|hometown|country|employer|school|nickname)$/;

/** A name as a whole: "Bath", "Pat Dillan", but not "Monday morning". */
const WHOLE_NAME = pattern('u')`
  ^(?!(?:I|It|That|The|Not|My|We|You|${CALENDAR})\b)(?:the )?\p{Lu}[\p{L}\p{M}\d'’&.-]*(?: (?:(?:of|the|de|la|van|von|and
  |&) ){0,2}\p{Lu}[\p{L}\p{M}\d'’&.-]*){0,4}(?=\s*$|[,;!?)]|\s(?:not|now|and|but|in|actually|instead|sorry|with|please)\b)
`;

/** What the values of an attribute look like; those of others are names. */
const KINDS: Readonly<Record<string, RegExp>> = {
  'profile:age': /^\d/,
  'profile:birthday': /\d/,
  'profile:phone': /\d{3}/,
  'profile:email': /@/,
  'profile:website': /\.\p{L}/u,
  'profile:pronouns': /\//,
  'profile:timezone': /^[\p{Lu}\d+-]/u,
  'profile:occupation': /^an? /i,
};

/** Whether a value may take the place of a fact's: "sorry, it's late" corrects no name. A small name may correct a small one. */
function isOfKind(value: string, { key, value: before }: Scene['said'][number]): boolean {
  const kind = KINDS[key ?? ''];
  if (kind) return kind.test(value);
  if (WHOLE_NAME.test(value)) return true;
  const isSmall = /^\p{Ll}/u.test(before) && /^\p{Ll}/u.test(value);
  return isSmall && (isTown(capitalised(value)) || personNameOf(value) !== null);
}

/** The bare value of a correction ("wait, no, 20 since last week"), if it is of the kind of the fact stated last. */
function bareValue(sentence: string, lastKey: string | null): string | undefined {
  const value = BARE.exec(sentence)?.groups?.value;
  if (value === undefined) return undefined;
  if (/^\d/.test(value))
    return lastKey === 'profile:age' ? upTo(value, / (?:since|as of|from) /) : undefined;
  const isName = /^(?!(?:I|It|That|The|Not|My|We|You)\b)\p{Lu}/u.test(value);
  return isName && NAME_KEY.test(lastKey ?? '') ? value : undefined;
}
