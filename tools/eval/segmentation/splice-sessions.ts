import { seededRandom } from '../../support/random.ts';
import { type LocomoConversation, type LocomoTurn, sessionOf } from '../locomo.ts';

const THREADS = 20;
const RUNS = 6;
const SHORTEST = 4;
const LONGEST = 10;

/** A thread made of parts of several sessions. Its topics change where one part was joined to the next. */
export type Splice = { id: string; source: string; utterances: string[]; boundaries: number[] };

/**
 * Makes twenty threads of a conversation. Each joins runs of 4-10 turns from six different sessions. The same seed gives the
 * same threads.
 */
export function spliceSessions(
  { id, turns }: LocomoConversation,
  { threads = THREADS, seed = 1 } = {},
): Splice[] {
  const random = seededRandom(seed);
  const below = (count: number) => Math.floor(random() * count);
  const bySession = new Map<string, LocomoTurn[]>();
  for (const turn of turns) {
    const session = sessionOf(turn.id);
    bySession.set(session, [...(bySession.get(session) ?? []), turn]);
  }
  const sessions = [...bySession.values()].filter((session) => session.length >= SHORTEST);
  return Array.from({ length: threads }, (_, thread) => {
    const left = [...sessions];
    const utterances: string[] = [];
    const boundaries: number[] = [];
    for (let run = 0; run < Math.min(RUNS, sessions.length); run++) {
      const [session = []] = left.splice(below(left.length), 1);
      const length = Math.min(session.length, SHORTEST + below(LONGEST - SHORTEST + 1));
      const start = below(session.length - length + 1);
      if (run > 0) boundaries.push(utterances.length);
      utterances.push(...session.slice(start, start + length).map(({ text }) => text));
    }
    return { id: `${id}/${thread + 1}`, source: id, utterances, boundaries };
  });
}
