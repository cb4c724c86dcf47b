import { plainQuestion } from '../domain/ranking/question.ts';
import { SEARCHED_CHARACTERS } from '../domain/turns/turn.ts';
import { mayNameTime } from '../language/en/time/time-phrases.ts';
import type { LanguageThreads } from './language-threads.ts';
import type { IncomingTurn } from './rule-functions.ts';
import { MOST_AT_ONCE, type RequestRules } from './rules.ts';
import type { Method } from './serve.ts';
import { TaskStopped } from './time-limit.ts';

/** Limit of processor time for one text of a request, in milliseconds. */
const TEXT = 50;
/** A text gets one more millisecond for each of this many characters, to count its words. */
const PER_MILLISECOND = 500;
/** Limit of elapsed time, in milliseconds. It is generous: processor time is the limit that matters. */
const IN_ALL = 120_000;
/**
 * How long a request waits while the thread starts, in milliseconds: after a rest, on a busy machine, that takes longer than a text
 * ever does.
 */
const START_WITHIN = 5_000;
/** How much of a question is looked at for a time, in characters: the rules read no more of it. */
const ASKED = 2_000;
/** How many characters of turns one task reads: between two tasks other users get their turn. */
const PIECE = 20_000;

/** `isDated`: it waits longer, also for a thread that is restarting. */
type Cost = { userId: string; computing: number; isBulk?: boolean; isDated?: boolean };

export function createRequestRules({
  requests,
  requestWithin,
  datedWithin,
}: LanguageThreads): RequestRules {
  const withinOf = ({ isDated }: Cost): number => {
    if (isDated) return datedWithin;
    return requests.isRunning() ? requestWithin : START_WITHIN;
  };
  /** Returns the result of the thread, or the fallback if it takes too long or the thread is restarting. */
  const soon = async <T>(method: Method, input: unknown, cost: Cost, otherwise: () => T) => {
    const startAgain = () => void requests.warm().catch(() => undefined);
    const { userId, computing, isBulk, isDated = false } = cost;
    if (!isDated && !requests.isReady()) {
      startAgain();
      return otherwise();
    }
    const { signal, end } = timeoutOf(withinOf(cost));
    try {
      const limit = { computing, inAll: IN_ALL };
      const task = { userId, isBulk, limit, signal, isUrgent: !isDated };
      return await orAborted(requests.run(method, input, task) as Promise<T>, signal);
    } catch (error) {
      const isLost = error instanceof TaskStopped || signal.aborted || !requests.isReady();
      if (!isLost) throw error;
      startAgain();
      return otherwise();
    } finally {
      end();
    }
  };

  return {
    async readTurns(turns, { userId }) {
      const withFacts = turns.length <= MOST_AT_ONCE;
      const read = [];
      for (const piece of inPieces(turns)) {
        const characters = piece.reduce((sum, { text }) => sum + text.length, 0);
        const computing = TEXT * piece.length + characters / PER_MILLISECOND;
        const plain = () =>
          piece.map(({ text }) => ({ words: countBlanks(text) + 1, cues: null, facts: [] }));
        const input = { turns: piece, withFacts };
        const cost = { userId, computing, isBulk: !withFacts };
        read.push(...(await soon('readTurns', input, cost, plain)));
      }
      return read;
    },
    readQuestion(text, { userId }) {
      const isDated = mayNameTime(text.slice(0, ASKED));
      return soon('readQuestion', text, { userId, computing: TEXT, isDated }, () =>
        plainQuestion(text),
      );
    },
    timeRange: (input, { userId }) =>
      soon('timeRange', input, { userId, computing: TEXT, isDated: true }, () => null),
  };
}

/** A signal that is aborted after some milliseconds, unless `end` is called first. */
function timeoutOf(milliseconds: number): { signal: AbortSignal; end(): void } {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), milliseconds);
  return { signal: controller.signal, end: () => clearTimeout(timer) };
}

/** Resolves like `work`, or rejects as soon as the signal is aborted. The work itself goes on. */
function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    work.then(resolve, reject);
  });
}

/** Groups the turns, in order, into the pieces that one task reads each. */
function inPieces(turns: readonly IncomingTurn[]): IncomingTurn[][] {
  const pieces: IncomingTurn[][] = [];
  let room = 0;
  for (const { role, speaker, occurredAt, text } of turns) {
    const searched = text.slice(0, SEARCHED_CHARACTERS);
    if (searched.length > room || pieces.length === 0) {
      pieces.push([]);
      room = PIECE;
    }
    room -= searched.length;
    pieces.at(-1)?.push({ role, speaker, occurredAt, text: searched });
  }
  return pieces;
}

function countBlanks(text: string): number {
  let blanks = 0;
  for (let at = text.indexOf(' '); at >= 0; at = text.indexOf(' ', at + 1)) blanks += 1;
  return blanks;
}
