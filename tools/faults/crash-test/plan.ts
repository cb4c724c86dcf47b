import type { ChatTexts } from '../../support/chat-texts.ts';
import { pickOne } from '../../support/random.ts';

type PlannedTurn = {
  text: string;
  role: 'USER' | 'ASSISTANT';
  idempotencyKey: string;
  /** If missing, the server uses its clock: a repeated turn then has another time. */
  occurredAt?: string;
};

/** The input of one `remember`. */
export type Call = {
  userId: string;
  channel: string;
  newThread?: { title: string };
  turns: PlannedTurn[];
};

const USERS = ['ana', 'bo', 'chidi', 'dee', 'emre'];
const WEEK = 7 * 86_400_000;
/** Texts that would show a broken encoding. */
const ODD = [
  '',
  '',
  '',
  ' "quoted" \\ back',
  ' ₂ü 🐈‍⬛ ﷽',
  '\n\ttwo lines',
  "  $1 %s '; --",
  ' e\u0301 é',
];

/**
 * Plans the calls of a round, or of a part of it such as "7.2". Each turn has its own text. There are several users, single
 * turns and batches, turns in order and up to a week late, and threads by inactivity and by name.
 */
export function planCalls(
  random: () => number,
  chat: ChatTexts,
  round: number | string,
  count: number,
): Call[] {
  const now = Date.now();
  return Array.from({ length: count }, (_, call): Call => {
    const dice = random();
    const size = dice < 0.7 ? 1 : dice < 0.95 ? 2 + Math.floor(random() * 3) : 10;
    const channel = pickOne(random, ['sms', 'sms', 'sms', 'whatsapp', 'whatsapp', 'web']);
    const start = now - Math.floor(random() * WEEK);
    return {
      userId: `${pickOne(random, USERS)}-${String(round).split('.')[0]}`,
      channel,
      ...(channel === 'web' ? { newThread: { title: `Topic ${round}.${call}` } } : {}),
      turns: Array.from({ length: size }, (_, turn) => ({
        text: `${chat.turn()} Note ${round}.${call}.${turn}${pickOne(random, ODD)}`,
        role: turn % 2 === 0 ? 'USER' : 'ASSISTANT',
        idempotencyKey: `${round}.${call}.${turn}`,
        ...(channel === 'whatsapp'
          ? { occurredAt: new Date(start + turn * 20_000).toISOString() }
          : {}),
      })),
    };
  });
}
