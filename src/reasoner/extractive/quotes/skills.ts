import { pattern } from '../../../language/text/pattern.ts';
import { trimEndOf } from '../../../language/text/trim-end.ts';
import type { StepOutput, Utterance } from '../../reasoner.ts';
import { capitalised, plainText, uncapitalised } from '../text/clean-text.ts';
import { nounPhrases } from '../text/phrases.ts';
import { splitSentences } from '../text/sentences.ts';
import { cutShort, shorten, trimDangling } from '../text/shorten.ts';
import { stripOpeners } from '../text/strip.ts';
import { procedureIn, troubleIn } from './steps.ts';

type Skill = StepOutput<'compact'>['skills'][number];

/** How many turns after the advice its success may be reported. */
const REACH = 6;
const MOST = 5;
const DESCRIPTION = 400;
/** How many words the name of a procedure, and of a rule, has at most. */
const NAME = { procedure: 8, rule: 6 };
/** Words that open a further part of a phrase. */
const OPENS =
  /^(?:and|or|but|so|that|because|before|after|when|while|until|to|of|for|in|on|at|with|from|by|every)$/i;

const WORKED = pattern('i')`
  \b(?:(?:it|that|this|which|everything)(?:'s| is| has)?(?: all| now| finally| really| just)* (?:work(?:s|ed|ing)
  |fixed|solved|helped|did (?:it|the trick))|works (?:now|again|perfectly|great|fine|like a charm)|(?:that|it) did it
  |problem solved|fixed it|solved it|all (?:green|good now)|no more errors?|back to normal|it passe[sd]|passes now
  |success(?:ful|fully)?\b)
`;
const FAILED =
  /\b(?:not|n't|no longer|still (?:fails|broken)|didn't|doesn't|never|if)\b.{0,25}(?:work|help|fix|solve|pass)/i;
/** A sentence that states a rule: "when the build hangs, clear the cache". */
const RULE = pattern('i')`
  ^(?:(?:next time|from now on|in future|remember|rule|lesson learned|note to self)[,:]?\s*)?(?:when(?:ever)?|if
  |every time|each time|before|after)\s+(.{8,120}?),\s+(?:then\s+|always\s+|we\s+|you\s+(?:should|must|need to
  |have to)\s+|please\s+|just\s+|first\s+|I\s+)*((?:\w+)\b.{8,200}?)[.!]*$
`;
const LASTING =
  /\b(?:always|whenever|every time|each time|next time|from now on|in future|rule|lesson)\b/i;

/**
 * The skills in a talk: steps of the assistant that the user confirmed or whose tool calls all succeeded, steps of the user
 * that worked, and lasting rules of the user. Without such evidence there are none, since no skill is better than a wrong one.
 */
export function skillsOf(turns: readonly Utterance[]): Skill[] {
  const found = turns.flatMap((turn, index) => {
    if (turn.role === 'ASSISTANT') return procedureOf(turns, index);
    return turn.role === 'USER' ? [...procedureOf(turns, index), ...rulesOf(turn, index)] : [];
  });
  const byName = new Map(found.map((skill) => [skill.name.toLowerCase(), skill]));
  return [...byName.values()].slice(0, MOST);
}

function procedureOf(turns: readonly Utterance[], index: number): Skill[] {
  const { role, text } = turns[index] as Utterance;
  const steps = procedureIn(text);
  if (steps.length < 2) return [];
  const proof = role === 'USER' ? (worked(text) ? index : null) : successOf(turns, index);
  if (proof === null) return [];
  const asking = turns
    .slice(0, index)
    .findLastIndex(
      ({ role, text }, place) =>
        role === 'USER' && index - place <= REACH && matterOf(text) !== null,
    );
  const matter = matterOf(turns[asking]?.text ?? '');
  if (matter === null) return [];
  const listedSteps = steps.map((step, place) => `${place + 1}) ${step}`).join('; ');
  return [
    {
      name: nameOf(matter.about, NAME.procedure),
      description: cutShort(`${matter.opening}: ${listedSteps}.`, DESCRIPTION),
      evidence: [...new Set([asking, index, proof])].sort((a, b) => a - b),
    },
  ];
}

/** The index of the turn that shows success; null if there is none, or a failure comes first. */
function successOf(turns: readonly Utterance[], from: number): number | null {
  for (let place = from + 1; place < Math.min(turns.length, from + 1 + REACH); place++) {
    const { role, text } = turns[place] as Utterance;
    if (role !== 'USER' && role !== 'TOOL') continue;
    if (FAILED.test(text)) return null;
    if (role === 'USER' && worked(text)) return place;
  }
  return null;
}

const worked = (text: string): boolean =>
  WORKED.test(text) && !FAILED.test(text) && !text.trim().endsWith('?');

/** What a procedure is for: what somebody asked how to do, or what was wrong. */
function matterOf(text: string): { about: string; opening: string } | null {
  const purpose = purposeOf(text);
  if (purpose !== null) return { about: purpose, opening: `To ${purpose}` };
  const trouble = troubleIn(text);
  return trouble === null ? null : { about: trouble, opening: `When ${trouble}` };
}

const PURPOSE = pattern('i')`
  \b(?:how (?:do|can|could|should|would|to) (?:i |we |you )?|(?:help|show|tell|teach) (?:me |us )?(?:how )?(?:to )?
  |i (?:need|want|would like|'d like|am trying|'m trying) to |(?:can|could|would) you (?:please )?)(\w.{3,100})
`;

function purposeOf(text: string): string | null {
  const sentence = splitSentences(plainText(text)).find((part) => PURPOSE.test(part));
  const wanted = sentence === undefined ? undefined : PURPOSE.exec(sentence)?.[1];
  if (wanted === undefined) return null;
  const purpose = trimEndOf(stripOpeners(wanted), /[?.!\s]/)
    .replace(/\bmy\b|\bour\b/gi, 'the')
    .replace(/\b(?:for|to) me\b/gi, '');
  return uncapitalised(shorten(purpose, 80, [])?.replace(/[.]$/, '') ?? trimDangling(purpose));
}

/** A name of two to `most` words. A longer text is cut before the last word that opens a further part. */
function nameOf(text: string, most: number): string {
  const words = text.split(/\s+/).filter((word) => !/^(?:the|a|an|my|our|please)$/i.test(word));
  const border = words.findLastIndex(
    (word, place) => place > 1 && place <= most && OPENS.test(word),
  );
  const isWhole = words.length <= most;
  const few = trimDangling(
    (isWhole ? words : words.slice(0, border < 0 ? most : border)).join(' '),
  );
  const name = few.split(' ').length >= 2 ? few : (nounPhrases(text)[0]?.text ?? few);
  return capitalised(name);
}

function rulesOf({ text }: Utterance, index: number): Skill[] {
  return splitSentences(plainText(text)).flatMap((sentence) => {
    const [, condition, action] = RULE.exec(stripOpeners(sentence)) ?? [];
    if (condition === undefined || action === undefined || sentence.endsWith('?')) return [];
    if (!LASTING.test(sentence) || /^(?:i|we|it|he|she|they|that|there)\b/i.test(action)) return [];
    const description = capitalised(`${trimEndOf(sentence, /[.!]/)}.`);
    return [{ name: nameOf(action, NAME.rule), description, evidence: [index] }];
  });
}
