import { readFile } from 'node:fs/promises';
import type { PastTurn } from '../../src/cli/support/memory-client.ts';
import { DAY } from '../../src/shared/duration.ts';
import { parseLocomo, sessionOf } from '../eval/locomo.ts';
import { createChatTexts } from '../support/chat-texts.ts';
import { seededRandom } from '../support/random.ts';

/** A user with past turns, and questions about them. */
export type BenchMemory = { userId: string; turns: PastTurn[]; questions: string[] };

type Session = { conversation: number; turns: { speaker: string; text: string }[] };

const TURNS_A_SESSION = 20;
const QUESTIONS = 400;
const START = Date.UTC(2020, 0, 1, 9);
const SPACING = 20_000;

/** Users with synthetic messages, the same ones every time. */
export function madeUpMemories(users: number, turnsEach: number, prefix = 'user'): BenchMemory[] {
  return Array.from({ length: users }, (_, index) => {
    const texts = createChatTexts(index + 1);
    const sessions = Array.from({ length: Math.ceil(turnsEach / TURNS_A_SESSION) }, () =>
      Array.from({ length: TURNS_A_SESSION }, (_turn, number) => ({
        speaker: number % 2 === 0 ? 'Sam' : 'Robin',
        text: texts.turn(),
      })),
    );
    return {
      userId: `${prefix}-${index + 1}`,
      turns: inTime(sessions, turnsEach),
      questions: Array.from({ length: QUESTIONS }, () => texts.question()),
    };
  });
}

/**
 * Users with the sessions of LoCoMo, a day apart. Each user begins with another conversation, and the
 * conversations are repeated as often as necessary.
 */
export async function locomoMemories(
  file: string,
  users: number,
  turnsEach: number,
): Promise<BenchMemory[]> {
  const conversations = parseLocomo(await readFile(file, 'utf8'));
  const sessions = conversations.map(({ turns }, conversation) => {
    const own = new Map<string, Session>();
    for (const turn of turns) {
      const session = own.get(sessionOf(turn.id)) ?? { conversation, turns: [] };
      session.turns.push(turn);
      own.set(sessionOf(turn.id), session);
    }
    return [...own.values()];
  });
  return Array.from({ length: users }, (_, index) => {
    const own: Session[] = [];
    let count = 0;
    for (let next = index; count < turnsEach; next += 1) {
      for (const session of sessions[next % sessions.length] ?? []) {
        if (count >= turnsEach) break;
        own.push(session);
        count += session.turns.length;
      }
    }
    const chosen = new Set(own.map(({ conversation }) => conversation));
    const random = seededRandom(index + 1);
    return {
      userId: `user-${index + 1}`,
      turns: inTime(
        own.map(({ turns }) => turns),
        turnsEach,
      ),
      questions: [...chosen]
        .flatMap((conversation) => conversations[conversation]?.questions ?? [])
        .map(({ text }) => ({ text, place: random() }))
        .sort((a, b) => a.place - b.place)
        .map(({ text }) => text),
    };
  });
}

/** The first turns of the sessions, one session per day. */
function inTime(
  sessions: readonly (readonly { speaker: string; text: string }[])[],
  limit: number,
): PastTurn[] {
  const turns = sessions.flatMap((session, day) =>
    session.map(({ speaker, text }, index) => ({
      speaker,
      text,
      occurredAt: new Date(START + day * DAY + index * SPACING).toISOString(),
    })),
  );
  return turns.slice(0, limit);
}
