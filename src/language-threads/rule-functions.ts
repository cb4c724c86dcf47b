import { signalsOf } from '../domain/episodes/capture-signals.ts';
import { themeOf } from '../domain/episodes/theme.ts';
import type { CandidateFact } from '../domain/facts/fact.ts';
import { isPhoneNumber } from '../domain/facts/phone-number.ts';
import { type FoundOutcome, linkOutcomeOf } from '../domain/links/link-outcome.ts';
import {
  algorithmicScore,
  type LinkingParts,
  type LinkVerdict,
  NEUTRAL_WEIGHTS,
} from '../domain/links/linking.ts';
import {
  entityMatch,
  keywordMatch,
  talkOf,
  termWeigher,
  topicMatch,
} from '../domain/links/linking-parts.ts';
import { askedRangeIn, asQuestion, type QuestionReading } from '../domain/ranking/question.ts';
import { rankingCuesOf } from '../domain/ranking/ranking-cues.ts';
import { beginsWithGreeting, isMoreThanGreeting } from '../language/en/greeting.ts';
import { newsIn } from '../language/en/shattering-news.ts';
import { isCourtesy } from '../language/en/turn-cues.ts';
import { wordCount } from '../language/text/terms.ts';
import { readTurns } from '../reasoner/extractive/extract-facts.ts';
import { candidateOf } from '../reasoner/extractive/facts/candidates.ts';
import { continuationOf } from '../reasoner/extractive/relatedness/continuation.ts';
import { capForFacts } from '../reasoner/extractive/text/cap-for-facts.ts';
import { capText } from '../reasoner/extractive/text/cap-input.ts';
import type { Utterance } from '../reasoner/reasoner.ts';
import { isSpoken, type Role } from '../shared/role.ts';

/** What is read from a turn when it is received. */
export type TurnReading = {
  /** The number of words: BM25 normalises by it. */
  words: number;
  /** What the ranking needs to know of its text, see `rankingCuesOf`; null = not read yet, so that the index reads it. */
  cues: number | null;
  /** The facts that the turn states on its own. */
  facts: CandidateFact[];
};

/** Facts with these keys can be read from a turn without the turns before it: contact details and names. So can denials. */
const AT_ONCE = /^profile:(?:email|phone|website|name|full_name|nickname)$/;
/** In longer turns, and in larger batches, facts are read in the background. In characters. */
const LONGEST = 2_000;

/** Without a match a text states no fact on its own. Finds addresses, numbers, names and denials. */
const WORTH_READING =
  /@|https?:|www\.|\.\p{L}{2}|\d[\d\s().+/-]{5}|\bname\b|\bcall me\b|\b(?:don't|don’t|do not|never|no longer|not|can't|can’t|cannot|stopped|quit|hate)\b/iu;

/** A turn that was received. */
export type IncomingTurn = Pick<Utterance, 'role' | 'text' | 'occurredAt' | 'speaker'>;
/** A turn's speaker and words. */
export type TurnText = { role: Role; text: string };
type EmbeddedTurn = TurnText & { vector: Float32Array | null };

function factsAtOnce({ role, text, occurredAt, speaker }: IncomingTurn): CandidateFact[] {
  if (role !== 'USER' || text.length > LONGEST || !WORTH_READING.test(text)) return [];
  const turns = capForFacts([{ role, text: capText(text), occurredAt, speaker }]);
  return [...readTurns({ turns, known: [] })]
    .flatMap(({ index, drafts }) => drafts.map((draft) => candidateOf(draft, [], index)))
    .filter(({ key, polarity }) => polarity === 'NEGATIVE' || AT_ONCE.test(key ?? ''))
    .filter(({ key, value }) => key !== 'profile:phone' || isPhoneNumber(value));
}

/**
 * The words and vectors of the turns that people said. Tool output and system messages are left out, and courtesies such as
 * "OK.", which would make any two threads similar.
 */
function talkIn(turns: readonly EmbeddedTurn[]) {
  const spoken = turns.filter((turn) => isSpoken(turn) && !isCourtesy(turn.text));
  return talkOf(
    spoken.map(({ text }) => text),
    spoken.flatMap(({ vector }) => vector ?? []),
  );
}

/** Two groups of turns to compare, and how common their terms are. */
export type Comparison = {
  before: readonly EmbeddedTurn[];
  after: readonly EmbeddedTurn[];
  /** The number of the user's threads; `threadsWith`: in how many of them each term occurs. */
  threads: number;
  threadsWith: ReadonlyMap<string, number>;
  /** The embedding profile's threshold `novelty`; null without an embedder. */
  novelty: number | null;
};

function compareTalks(comparison: Comparison): Omit<LinkingParts, 'recency'> {
  const { before, after, threads, threadsWith, novelty } = comparison;
  const [left, right] = [talkIn(before), talkIn(after)];
  return {
    keyword: keywordMatch(left, right, termWeigher(threads, threadsWith)),
    entity: entityMatch(left, right),
    topic: novelty === null ? null : topicMatch(left, right, novelty),
  };
}

/** A thread and how it continued after the decision whether to link it. */
export type WatchedTurns = {
  verdict: LinkVerdict;
  /** Its first turns, which were compared for the decision. */
  opening: readonly EmbeddedTurn[];
  /** The user's later turns. */
  later: readonly EmbeddedTurn[];
  /** The end of the earlier thread. */
  earlier: readonly EmbeddedTurn[];
  isOver: boolean;
  /** Whether the caller explicitly started the new thread. */
  isExplicit: boolean;
  novelty: number | null;
};

function linkOutcome(watched: WatchedTurns): FoundOutcome | null {
  const { verdict, opening, later, earlier, isOver, isExplicit, novelty } = watched;
  const before = verdict === 'LINK' ? [...earlier, ...opening] : earlier;
  const after = later.filter(({ text }) => isMoreThanGreeting(text));
  const parts = compareTalks({ before, after, threads: 0, threadsWith: new Map(), novelty });
  const isLittle = parts.keyword === null && parts.entity === null;
  return linkOutcomeOf({
    verdict,
    later: later.map(({ text }) => text),
    likeness: isLittle
      ? null
      : algorithmicScore({ ...parts, recency: null }, NEUTRAL_WEIGHTS).score,
    isOver,
    isFreshStart: isExplicit || beginsWithGreeting(opening[0]?.text ?? ''),
  });
}

/** The first turns of a thread. */
export type ThreadOpening = { turns: readonly TurnText[] };
/** The terms by which an opening is compared. `saysSomething`: whether it is more than a greeting. */
export type ThreadOpeningReading = { saysSomething: boolean; terms: string[] };

function readOpening({ turns }: ThreadOpening): ThreadOpeningReading {
  const spoken = turns.filter(isSpoken).map(({ text }) => text);
  return { saysSomething: spoken.some(isMoreThanGreeting), terms: [...talkOf(spoken, []).terms] };
}

/** A text that may name a period, and when and where it was said. */
export type TimePhrase = { text: string; now: Date; timeZone: string };

/** The rules that read users' texts and are not part of the reasoner. They run in the language threads only. */
export const ruleFunctions = {
  /** Counts the words of new turns, and reads the cues for the ranking and the facts that each states on its own. */
  readTurns: ({ turns, withFacts }: { turns: readonly IncomingTurn[]; withFacts: boolean }) =>
    turns.map(
      (turn): TurnReading => ({
        words: wordCount(turn.text),
        cues: rankingCuesOf(turn.text),
        facts: withFacts ? factsAtOnce(turn) : [],
      }),
    ),
  readQuestion: (text: string): QuestionReading => ({
    ...asQuestion(text),
    continues: continuationOf(capText(text)) > 0,
  }),
  timeRange: ({ text, now, timeZone }: TimePhrase) => askedRangeIn(text, now, timeZone),
  theme: themeOf,
  captureSignals: signalsOf,
  newsIn,
  readOpening,
  compareTalks,
  linkOutcome,
} as const;

export type RuleFunctions = typeof ruleFunctions;
