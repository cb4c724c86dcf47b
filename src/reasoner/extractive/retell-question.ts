import nlp from 'compromise';
import { trimEndOf } from '../../domain/trim-end.ts';
import { type Talkers, toThirdPerson } from './third-person.ts';
import { textOf, thirdPerson, tokensOf } from './tokens.ts';

const WHO = '(I|you|we|they|he|she|it|there|that|this|these|those)';
const AUX = '(is|are|am|was|were|can|could|will|would|should|may|might|must|has|have|had)';
const WH =
  "((?:what|which|where|when|why|who|whom|whose|how)(?: (?!do\\b|does\\b|did\\b|is\\b|are\\b|was\\b|were\\b)[\\w'-]+){0,3})";

const ABOUT =
  /^(?:(?:what|how) about|any(?: (?:news|word|update))? (?:on|about)|any thoughts on|got any|any) (?=\S)/i;
const IS_THE =
  /^(what|how|where|when|who) (is|are|was|were) ((?!(?:it|I|you|we|they|he|she|there|that|this|these|those)\b).+)$/i;
const WH_DO = new RegExp(`^${WH} (do|does|did) ${WHO} (\\w+)(|[^\\w\\n].*)$`, 'i');
const WH_AUX = new RegExp(`^${WH} ${AUX} ${WHO}\\b(.*)$`, 'i');
const DO = /^(do|does|did|don't|didn't) (I|you|we|they|he|she|it) (\w+)(|[^\w\n].*)$/i;
const IF = new RegExp(`^${AUX} ${WHO}\\b(.*)$`, 'i');

/** A direct question as a reported one; one that the patterns do not know is quoted. */
export function retellQuestion(said: string, talkers: Talkers): string {
  const bare = trimEndOf(said, /[?!.\s"']/);
  const reported = /[.!?]\s/.test(bare) ? null : report(bare);
  if (reported === null)
    return `${talkers.speaker} asked: "${bare.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase())}?"`;
  const tokens = tokensOf(reported.text);
  const told = textOf(toThirdPerson(tokens, talkers, true));
  return `${talkers.speaker} asked ${reported.opener}${told}`;
}

type Reported = { opener: '' | 'if ' | 'about '; text: string };

function report(question: string): Reported | null {
  if (ABOUT.test(question)) {
    const text = question.replace(ABOUT, '').replace(/^for (?=\d)/i, '');
    return { opener: 'about ', text };
  }
  return (
    isLike(question) ??
    isThe(question) ??
    withDo(question) ??
    withAuxiliary(question) ??
    fragment(question)
  );
}

const hasVerb = (text: string) =>
  tokensOf(text).some(({ tags }) => tags.has('Verb') && !tags.has('Infinitive'));

const IS_LIKE = /^what (is|are|was|were) (.+?) like\b(.*)/i;

function isLike(question: string): Reported | null {
  const [, verb, matter, rest = ''] = IS_LIKE.exec(question) ?? [];
  return verb === undefined ? null : { opener: '', text: `what ${matter} ${verb} like${rest}` };
}

function isThe(question: string): Reported | null {
  const [, word, verb, rest] = IS_THE.exec(question) ?? [];
  if (word === undefined || rest === undefined || hasVerb(rest) || /\blike$/.test(rest))
    return null;
  if (word.toLowerCase() === 'what') return { opener: 'about ', text: rest };
  return { opener: '', text: `${word.toLowerCase()} ${rest} ${verb}` };
}

function withDo(question: string): Reported | null {
  const wh = WH_DO.exec(question);
  if (wh !== null) {
    const [, word = '', aux = '', who = '', verb = '', rest = ''] = wh;
    return {
      opener: '',
      text: `${lowerFirst(word)} ${subjectOf(who)} ${inflected(verb, aux)}${rest}`,
    };
  }
  const plain = DO.exec(question);
  if (plain === null) return null;
  const [, aux = '', who = '', verb = '', rest = ''] = plain;
  const not = /n't$/i.test(aux) ? ' not' : '';
  if (not !== '') return null;
  return { opener: 'if ', text: `${subjectOf(who)} ${inflected(verb, aux)}${rest}` };
}

function withAuxiliary(question: string): Reported | null {
  const wh = WH_AUX.exec(question);
  if (wh !== null) {
    const [, word = '', aux = '', who = '', rest = ''] = wh;
    return { opener: '', text: `${lowerFirst(word)} ${subjectOf(who)} ${aux}${rest}` };
  }
  const plain = IF.exec(question);
  if (plain === null) return null;
  const [, aux = '', who = '', rest = ''] = plain;
  return { opener: 'if ', text: `${subjectOf(who)} ${aux.toLowerCase()}${rest}` };
}

/** "Free parking on Sundays?" is a question about it. */
function fragment(question: string): Reported | null {
  const tokens = tokensOf(question);
  const noun = tokens.some(({ tags }) => tags.has('Noun') && !tags.has('Pronoun'));
  if (
    !noun ||
    tokens.some(
      ({ tags, lower }) =>
        tags.has('Verb') || tags.has('Pronoun') || tags.has('QuestionWord') || lower === 'not',
    )
  )
    return null;
  return { opener: 'about ', text: lowerFirst(question) };
}

const lowerFirst = (text: string) =>
  text.replace(/^\p{Lu}(?=\p{Ll})/u, (letter) => letter.toLowerCase());

const subjectOf = (who: string) => (who === 'I' ? who : who.toLowerCase());

function inflected(verb: string, aux: string): string {
  const helper = aux.toLowerCase();
  if (helper === 'does') return thirdPerson(verb);
  if (helper !== 'did') return verb;
  const past = nlp(verb, { [verb]: 'Infinitive' })
    .verbs()
    .toPastTense()
    .text();
  return past === '' ? `did ${verb}` : past;
}
