import { trimEndOf } from '../../domain/trim-end.ts';
import { type Talkers, toThirdPerson } from './third-person.ts';
import { type Token, textOf, tokensOf } from './tokens.ts';

/** What a request opens with, and how it is told. The first that fits counts. */
const OPENINGS: readonly (readonly [RegExp, string])[] = [
  [/^let's (?!not\b)/i, 'proposed to '],
  [/^tell (?:me|us) (?:more )?about /i, 'asked about '],
  [/^(?:give|send|get|show|find|bring) (?:me|us) (?!to\b)/i, 'asked for '],
  [/^remind me to /i, 'asked to be reminded to '],
  [/^help (?:me|us) (?:to )?/i, 'asked for help to '],
];

const COMMANDS = new Set(
  (
    'book find check set schedule remind show give tell send make add get look play call order reserve cancel change move write ' +
    'explain help try search read list create delete remove buy bring use put keep turn open close start stop run install'
  ).split(' '),
);
const FINITE = /^(?:is|are|was|were|has|have|had|will|would|can|could|should)$/;

/** Whether a sentence tells somebody to do something. */
export function isCommand([head, next, ...rest]: readonly Token[], said: string): boolean {
  if (head === undefined) return false;
  if (
    /^(?:let's|don't (?!feel|know|think|want|like|really|have|get|see|mind|remember|care|even)) ?/i.test(
      said,
    )
  )
    return true;
  if (next === undefined || next.tags.has('Verb')) return false;
  if (COMMANDS.has(head.lower) && !next.tags.has('Preposition') && !FINITE.test(next.lower))
    return true;
  const clause = rest.slice(
    0,
    Math.max(0, rest.findIndex(({ post }) => /[,;–—]/.test(post)) + 1) || rest.length,
  );
  return head.tags.has('Imperative') && !clause.some(({ lower }) => FINITE.test(lower));
}

/** "Book a table for us." → "Maya asked to book a table for them". */
export function reportRequest(request: string, talkers: Talkers): string {
  const { speaker, asks } = talkers;
  const rest = (pattern: RegExp) => told(request.replace(pattern, ''), talkers);
  if (/^don't /i.test(request))
    return `${speaker} ${asks ? 'asked' : 'said'} not to ${rest(/^don't /i)}`;
  const opening = OPENINGS.find(([pattern]) => pattern.test(request));
  if (opening !== undefined) return `${speaker} ${opening[1]}${rest(opening[0])}`;
  return `${speaker} ${asks ? 'asked' : 'said'} to ${rest(/^/)}`;
}

/** The speaker was named: `I` is "they" here. */
function told(text: string, talkers: Talkers): string {
  const bare = trimEndOf(text, /[?.!\s]/).replace(/^\p{Lu}(?=\p{Ll}+\s)/u, (letter) =>
    letter.toLowerCase(),
  );
  return textOf(toThirdPerson(tokensOf(bare), talkers, true));
}
