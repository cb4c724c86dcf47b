import { trimEndOf } from '../../domain/trim-end.ts';
import { missingSubject } from './missing-subject.ts';
import { isCommand, reportRequest } from './report-request.ts';
import { retellQuestion } from './retell-question.ts';
import { stripSpeech } from './strip.ts';
import { type Talkers, toThirdPerson } from './third-person.ts';
import { expandContractions, type Token, textOf, tokensOf } from './tokens.ts';

/** First letter up, a full stop set. */
export function asSentence(text: string): string {
  const trimmed = trimEndOf(text, /[\s,;:–—-]/).trim();
  const capital = trimmed.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase());
  return /[.?…。？！]["')]?$/.test(capital) ? capital : `${trimEndOf(capital, /!/)}.`;
}

const REQUEST =
  /^(?:please )?(?:can|could|would|will) you (?:please |possibly |maybe |also )?(?!be\b|like\b|have\b)(?=[a-z])/i;
/** Haste leaves the question mark out. */
const UNMARKED =
  /^(?:(?:what|where|when|why|who|which|how) (?:is|are|do|does|did|can|will|would|should|was|were|much|many|long|far|about)|(?:is|are|do|does|did|can|could|will|would|should) (?:i|you|we|they|he|she|it|there|the|my))\b/i;

/**
 * A sentence of direct speech told in the third person: "I moved to Oslo." → "Maya moved to Oslo."
 * Questions and requests become reported ones. Words that the rules do not know stay as they were
 * said. `text`: one English sentence.
 */
export function retell(text: string, talkers: Talkers, names: readonly string[]): string {
  const bare = expandContractions(stripSpeech(text, names));
  const said = (bare === '' ? expandContractions(text) : bare).replace(/^please /i, '');
  if (REQUEST.test(said)) return asSentence(reportRequest(said.replace(REQUEST, ''), talkers));
  if (/\?["')]?$/.test(said) || UNMARKED.test(said))
    return asSentence(retellQuestion(said, talkers));
  const tokens = tokensOf(said);
  if (isCommand(tokens, said)) return asSentence(reportRequest(said, talkers));
  const subject = missingSubject(tokens, said);
  if (subject === '') return asSentence(statement(tokens, talkers));
  return asSentence(statement(tokensOf(subject + textOf(lowered(tokens))), talkers));
}

/** "We", "you" or both, but not "I" first: whose words these are has to be said. */
function needsSpeaker(tokens: readonly Token[]): boolean {
  const place = (pattern: RegExp) => tokens.findIndex((token) => pattern.test(token.lower));
  const self = place(/^(?:i|my|me|mine)$/);
  const group = place(/^(?:we|our|us)$/);
  const other = place(/^(?:you|your|yours)$/);
  if (self < 0) return group >= 0 || other >= 0;
  return group >= 0 && group < self;
}

function statement(tokens: readonly Token[], talkers: Talkers): string {
  if (!needsSpeaker(tokens)) return textOf(toThirdPerson(tokens, talkers));
  return `${talkers.speaker} said ${textOf(toThirdPerson(lowered(tokens), talkers, true))}`;
}

/** The first word in lower case unless it is a name. */
function lowered([head, ...rest]: readonly Token[]): Token[] {
  if (head === undefined) return [];
  const isName = head.tags.has('ProperNoun') || /^I$|^\p{Lu}{2}/u.test(head.text);
  return [isName ? head : { ...head, text: head.text.toLowerCase() }, ...rest];
}
