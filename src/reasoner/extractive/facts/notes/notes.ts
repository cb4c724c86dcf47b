import { logitOf, sigmoid } from '../../../../domain/core/logistic.ts';
import type { FactCategory, LearnedFact, StoredFact } from '../../../../domain/facts/fact.ts';
import { pattern } from '../../../../language/text/pattern.ts';
import { termsOf } from '../../../../language/text/terms.ts';
import { SUPPOSES } from '../text/moods.ts';
import { isOfAnother, JOKE } from '../text/referents.ts';
import { datesMovedBy } from './moved-date.ts';
import { NOTE_FEATURES, type NoteFeatures, noteFeatures, type Placed } from './note-features.ts';
import { NOTE_WEIGHTS } from './note-weights.ts';

/** From this probability of being durable on, a sentence is noted. */
export const LEAST_NOTABLE = 0.44;
/** From this share of common terms on, a sentence about a change concerns the same matter as a note. */
const SAME_MATTER = 0.15;
const MOST = 500;

/** A turn split into the sentences in which notes may be found. */
export type SplitTurn = {
  text: string;
  /** Its sentences in the user's own words. */
  sentences: readonly string[];
  /** What the assistant said before; null if nothing. */
  question: string | null;
  /** The sentences of which patterns have read facts: they are not noted as well. */
  byPatterns: ReadonlySet<string>;
};

/** The sentences of a turn that may be notes, as written. */
export function notableSentences(turn: SplitTurn): Placed[] {
  const { text, sentences, question, byPatterns } = turn;
  const raw = text.replace(/[’‘ʼ]/gu, "'").replace(/[“”„«»]/gu, '"');
  const isAnswer = question?.trimEnd().endsWith('?') ?? false;
  const offersChoice = CHOICE.test(raw);
  const notable: Placed[] = [];
  for (const [place, sentence] of sentences.entries()) {
    if (SUPPOSES.test(sentence)) break;
    if (JOKE.test(sentence)) notable.length = 0;
    if (isOfAnother(sentence) || TAKEN_BACK.test(sentence)) notable.pop();
    const from = raw.indexOf(sentence);
    if (from < 0 || byPatterns.has(sentence) || isPassing(sentence)) continue;
    if (offersChoice && sentence.includes(':')) continue;
    const quote = text.slice(from, from + sentence.length);
    const isLast = place === sentences.length - 1;
    notable.push({ text: quote, isLast, isAnswer });
  }
  return notable;
}

/** Introduces options, such as "Pick one" before lines like "Smith & Sons: 980, Monday only". Options are not decisions. */
const CHOICE =
  /\b(?:pick one|choose (?:one|between)|which (?:one|of (?:these|them))|compare (?:these|them))\b/i;

const TAKEN_BACK = /^(?:no,? wait|wait,? no|scratch that|correction)\b/i;

/** A search is a request for help, and so is trouble that opens a message. */
const REQUEST = pattern('i')`
  \b(?:i'?m|i am|we'?re|we are) looking for\b|^(?:(?:hi|hey|ok|so)[, ]+)?(?:i'?ve |i'?m |we'?re )?(?:got|having
  |there'?s) (?:a |an |some )?(?:problem|trouble|issue)s? with\b
`;

/** A joke that says so itself: "we'd all move to Mars (joking)". */
const JOKE_ASIDE = pattern('i')`
  \([^()]*\b(?:jokes?|joking|kidding|jk)\b|\bjust (?:kidding|joking)\b|[,;-] ?(?:that'?s|that was|it'?s
  |this is) (?:just |only )?a joke\b
`;

/** Ends dictated words, without a mark before it: "the van is fixed hey what's the film tonight". */
const DICTATED_QUESTION = pattern('i')`
  \b(?:hey|ok|okay|so|now) (?:what|how|why|where|who|when)(?:'?s| is| are| do| does| can| should)\b|\bwhat to do$
`;

const OF_SPEAKER = /\b(?:i|i'?m|i'?ve|i'?d|i'?ll|me|my|mine|we|we'?re|we'?ve|us|our|ours)\b/i;
/** Somebody's view of a thing: "Jo says it's all hype". What a doctor says is no view. */
const VIEW = pattern('iu')`
  ^(?:(?:and|so|but|also|oh|ok|yeah|well|now)[, ]+){0,3}(?!(?:the |my )?(?:doc|doctor|dr|nurse|physio|vet|dentist)\b)
  (?:the )?(?:\p{L}+ ){1,2}(?:says|said|reckons?|thinks?|claims?|swears?) (?:that )?(?:it'?s|it is|that'?s|they'?re)\s
`;

const isPassing = (sentence: string): boolean =>
  isSupposed(sentence) ||
  REQUEST.test(sentence) ||
  JOKE_ASIDE.test(sentence) ||
  (!/[,.;:!(]/.test(sentence) && DICTATED_QUESTION.test(sentence)) ||
  (!OF_SPEAKER.test(sentence) && VIEW.test(sentence));

/** A condition that does not hold: "if it was up to me", "if I were …". */
const UNREAL = /\bif (?:(?:it|this) (?:was|were) (?:only|just|up to)|i were|i ever)\b/i;

/** Whether a sentence is only supposed: "if we moved I'd …", "if it rains I'm quitting". */
const isSupposed = (sentence: string): boolean =>
  UNREAL.test(sentence) ||
  (/\bif (?:i|we|he|she|they|it|a|the)\b/i.test(sentence) &&
    /\b(?:would|wouldn't|i'd|id|we'd|wed|i'?m \w+ing|we'?re \w+ing)\b/i.test(sentence));

/**
 * The sentences of a turn that say something durable, word for word: about the user, people close to them, limits, how they
 * want to be helped, decisions and lessons. A logistic regression over cues selects them (note-features.ts, `npm run fit:notes`).
 */
export function notesOf(
  said: SplitTurn,
  known: readonly StoredFact[],
  turn: number,
): LearnedFact[] {
  const open = known.filter(({ key, polarity }) => key === null && polarity === 'POSITIVE');
  return notableSentences(said).flatMap((sentence) => {
    const features = noteFeatures(sentence);
    const values = NOTE_FEATURES.map((name) => features[name]);
    const probability = sigmoid(logitOf(NOTE_WEIGHTS, values));
    const { former, isChange } = features.question ? NO_CHANGE : changeIn(sentence.text, open);
    if (probability < LEAST_NOTABLE && !isChange && !features.styleRule) return [];
    const text = sentence.text.slice(0, MOST);
    const category = categoryOf(features, text);
    return [
      {
        action: former ? 'UPDATE' : 'NEW',
        factId: former?.id ?? null,
        category,
        key: null,
        value: text,
        statement: text,
        polarity: 'POSITIVE',
        scope: null,
        confidence: Math.max(LEAST_NOTABLE, probability),
        importance: IMPORTANCE[category] ?? 0.4,
        isCorrection: former !== undefined,
        isNote: true,
        turn,
      },
    ];
  });
}

const IMPORTANCE: Partial<Record<FactCategory, number>> = { INSTRUCTION: 0.6, CONSTRAINT: 0.7 };

/** A sentence that begins with "no": "no more coffee after 13:00" is a limit, "no smileys please" an instruction. */
const REFUSAL = /^(?:(?:and|so|but|also|oh|ok|yeah|well|right)[, ]+)*no\b/i;

/** Says how the assistant should do a thing whenever it does it: "when you write code, …", "remind me of that when …". */
const ON_OCCASION = pattern('i')`
  \b(?:when|whenever|if|every time|each time) (?:you|u) (?:give|write|send|show|explain|compare|draft|quote|list|make
  |do|answer|reply|talk|speak|suggest|recommend)\b|\bremind me of (?:that|this|it) (?:when|if)\b
`;

function isInstruction(is: NoteFeatures, text: string): boolean {
  if (is.orderedStyle || is.styleRule || ON_OCCASION.test(text)) return true;
  const isRule = is.standing + is.courtesy + is.negation > 0;
  const isOrder = is.order > 0 && (is.courtesy > 0 || !REFUSAL.test(text));
  const asksForStyle = is.style * is.courtesy > 0;
  return !is.ownKin && ((isRule && isOrder) || (asksForStyle && !is.request));
}

function categoryOf(is: NoteFeatures, text: string): FactCategory {
  if (isInstruction(is, text)) return 'INSTRUCTION';
  if (is.health || (is.negation && (is.standing || is.order))) return 'CONSTRAINT';
  if (is.kin) return 'RELATIONSHIP';
  if (is.naming) return 'IDENTITY';
  return is.taste ? 'PREFERENCE' : 'EXPERIENCE';
}

const CHANGE = pattern('i')`
  \b(?:no,? wait|wait,? no|correction|scratch that|i meant|moved|moves|relocated|switched|switches|changed|changes
  |no longer|any ?more|instead(?: of)?|is dead|is off|are off|cancelled|canceled|called off|forget|swapped|as of|from now on
  |stopped|quit|gave up|giving up|given up|dropped|ended|is over|no need|not needed|replaced|handed over|elected
  |(?:i'?m|i am|been|came) off)\b
`;
const CHANGES = new RegExp(CHANGE, 'gi');
/** Of these changes, what is changed may also follow: "stopped the tablets", but not "… instead if my hip lets me". */
const CHANGES_WHAT_FOLLOWS = pattern('i')`
  ^(?:moved|moves|switch\w+|change\w+|no longer|cancell?ed|called off|forget|swapped|stopped|quit|gave up|giving up
  |given up|dropped|ended|no need|not needed|replaced|handed over|instead of|i'?m off|i am|been|came off)
`;

/** The terms of what a sentence says to have changed: of the words around the cues. */
function changedIn(text: string): ReadonlySet<string> {
  const cues = [...text.matchAll(CHANGES)];
  const around = cues.flatMap(({ index, 0: cue }) => {
    const before = text.slice(0, index).trim().split(/\s+/).slice(-4);
    const after = text
      .slice(index + cue.length)
      .trim()
      .split(/\s+/);
    return CHANGES_WHAT_FOLLOWS.test(cue) ? [...before, ...after.slice(0, 5)] : before;
  });
  return new Set(contentOf(around.join(' ')));
}

/** Terms that occur in sentences about any matter. */
const COMMON = pattern()`
  ^(?:\d+|one|two|three|four|five|six|seven|eight|nine|ten|fifteen|twenti|thirti|forti|fifti|mon|tue|wed|thu|fri|sat
  |sun|alway|thing|back|day|week|time|say|now|new|get|got|go|know|forget|move|chang|switch|stop|drop|stay|keep|come|start|take
  |let|want|need)$
`;

const contentOf = (text: string): string[] => {
  const terms = [...termsOf(text).keys()];
  return terms.filter((term) => !COMMON.test(term));
};

/** A change of what was noted, and the note that it ends, if it is said which. */
type Change = { isChange: boolean; former?: StoredFact | undefined };
const NO_CHANGE: Change = { isChange: false };

/**
 * Whether a sentence changes a stored note: it gives another date, or reports a change and has terms in common. It ends the note
 * if these are more than one, or the one that is said to have changed.
 */
function changeIn(text: string, open: readonly StoredFact[]): Change {
  if (open.length === 0) return NO_CHANGE;
  const isMoved = datesMovedBy(text);
  const moved = open.find(({ statement }) => isMoved(statement));
  if (moved) return { isChange: true, former: moved };
  if (!CHANGE.test(text)) return NO_CHANGE;
  const changed = changedIn(text);
  const matters = sameMatters(text, open);
  const meant = matters.find(
    ({ common: [first = '', ...more] }) => more.length > 0 || changed.has(first),
  );
  return { isChange: matters.length > 0, former: meant?.fact };
}

/** The stored notes about the same matter as a text, with their common terms, the most alike first. */
function sameMatters(text: string, open: readonly StoredFact[]) {
  const contents = open.map((fact) => ({ fact, terms: contentOf(fact.statement) }));
  const counts = new Map<string, number>();
  for (const { terms } of contents)
    for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
  const weightOf = (terms: readonly string[]) =>
    terms.reduce((sum, term) => sum + Math.log(1 + open.length / (counts.get(term) ?? 1)), 0);
  const own = contentOf(text);
  return contents
    .map(({ fact, terms }) => {
      const common = own.filter((term) => terms.includes(term));
      return { fact, common, share: weightOf(common) / Math.sqrt(weightOf(own) * weightOf(terms)) };
    })
    .filter(({ share }) => share >= SAME_MATTER)
    .sort((one, other) => other.share - one.share);
}
