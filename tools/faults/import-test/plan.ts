import type { PastTurn } from '../../../src/cli/support/memory-client.ts';
import { createChatTexts } from '../../support/chat-texts.ts';
import { seededRandom } from '../../support/random.ts';

const START = Date.UTC(2024, 0, 1, 8);
const APART = 20_000;
/** The pause between two sessions: longer than any inside a thread. */
const PAUSE = 4 * 3_600_000;
const SHORTEST = 4;
const LONGEST = 60;
/** The share of all turns that belong to one long session. */
const ENDLESS = 0.1;

/** Plans a conversation of sessions with 4 to 60 turns and a long one, the same for the same seed. */
export function planImport(seed: number, count: number): PastTurn[] {
  const random = seededRandom(seed);
  const chat = createChatTexts(seed);
  const turns: PastTurn[] = [];
  let at = START;
  let left = Math.round(count * ENDLESS);
  while (turns.length < count) {
    if (left === 0) {
      left = SHORTEST + Math.floor(random() * (LONGEST - SHORTEST + 1));
      at += PAUSE;
    }
    const speaker = turns.length % 2 ? 'Bob' : 'Ada';
    turns.push({ speaker, text: chat.turn(), occurredAt: new Date(at).toISOString() });
    at += APART;
    left -= 1;
  }
  return turns;
}
