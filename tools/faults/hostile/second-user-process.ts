import { createGraphQLClient } from '../../../src/cli/support/graphql-over-http.ts';
import { recallTurns, rememberTurns } from '../../../src/cli/support/memory-client.ts';
import { atRate } from '../../bench/load/rates.ts';
import { createChatTexts } from '../../support/chat-texts.ts';
import { firstFact } from './first-fact.ts';
import type { FromTalker, Sample, ToTalker } from './second-user.ts';
import { userToken } from './tokens.ts';

// The second user, who sends harmless calls all the time. It is a separate process, so that the work of the hostile user's
// process with large bodies is not measured as slowness of the server.

const FOREVER = 1_000_000;

const tell = (message: FromTalker) => process.send?.(message);
const now = () => performance.timeOrigin + performance.now();

process.on('message', (message: ToTalker) => {
  if (message.type === 'talk') void talk(message);
  else void askForFact(message);
});
// The parent process has exited.
process.on('disconnect', () => process.exit());

/** Remembers and recalls alternately at regular intervals, answered or not. Times count from when a call was due. */
async function talk({ url, secret, perSecond, seed }: ToTalker & { type: 'talk' }) {
  const userId = 'second';
  const client = createGraphQLClient(url, await userToken(secret, userId));
  const chat = createChatTexts(seed);
  chat.turn();
  const began = now();
  await atRate(perSecond, FOREVER, async (index) => {
    const due = began + (index * 1000) / perSecond;
    const what = index % 2 === 0 ? 'remember' : 'recall';
    const late = now() - due;
    tell({ type: 'due', index, due });
    let failed: string | null = null;
    try {
      if (what === 'remember') await remember(client, chat.turn());
      else await recallTurns(client, { userId, query: chat.question(), first: 5 });
    } catch (error) {
      failed = (error as Error).message;
    }
    const sample: Sample = { index, what, due, ms: now() - due, late, failed };
    tell({ type: 'done', sample });
  });

  function remember(own: typeof client, text: string) {
    return rememberTurns(own, userId, 'sms', [
      { role: 'USER', text, occurredAt: new Date().toISOString() },
    ]);
  }
}

async function askForFact({ url, secret, userId }: ToTalker & { type: 'fact' }) {
  using client = createGraphQLClient(url, await userToken(secret, userId));
  tell({ type: 'fact', userId, ...(await firstFact(client, userId)) });
}
