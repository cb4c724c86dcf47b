import type { ServerPlace } from '../../support/restartable-server.ts';
import type { ServerProcess } from '../../support/server-process.ts';
import { type Acts, actOn } from './acts.ts';
import type { Call } from './plan.ts';
import { type Ending, type Sent, sendUntilKilled } from './send.ts';

/** When a server is killed: during its work, its stop, or the start after it. */
export type Moment = 'work' | 'stop' | 'start';
export const MOMENTS: readonly Moment[] = ['work', 'work', 'work', 'stop', 'start'];

/** Maximum times in milliseconds until the kill: from the chosen acknowledgement, within a stop, and within a start. */
const LONGEST = { pause: 30, stopping: 800, starting: 5_000 };

/** Sends calls, kills the server at a random moment, and starts it again on the same data. */
export async function killDuring(
  moment: Moment,
  { place, server }: { place: ServerPlace; server: ServerProcess },
  { calls, acts }: { calls: readonly Call[]; acts: Acts | null },
  random: () => number,
): Promise<{ sent: Sent[]; server: ServerProcess; kills: number; upAfter: number }> {
  const ending: Ending = {
    after: 1 + Math.floor(calls.length * (0.05 + 0.9 * random())),
    pause: random() * LONGEST.pause,
    stopping: moment === 'stop' ? random() * LONGEST.stopping : null,
  };
  const sent = await sendUntilKilled(server, calls, ending, async (entry) => {
    if (acts) await actOn(server, entry, acts, random);
  });
  await server[Symbol.asyncDispose]();
  if (moment === 'start') await place.killWhileStarting(random() * LONGEST.starting);
  const killed = performance.now();
  const next = await place.start();
  const upAfter = (performance.now() - killed) / 1000;
  return { sent, server: next, kills: moment === 'start' ? 2 : 1, upAfter };
}
