import type { Arena } from '../arena.ts';
import { type Phase, runPhase } from '../phase.ts';
import { type HostileRestart, restartWith, untilSettledWithin } from '../restart.ts';
import { deliver } from './deliver.ts';
import { type Delivery, planDeliveries } from './deliveries.ts';
import { readBack } from './read-back.ts';

export type TextOptions = {
  seed: number;
  texts: number;
  /** The minimum duration of a phase, and how much longer to wait for the work on the texts, in milliseconds. */
  atLeast: number;
  settleWithin: number;
  /** The number of the round: each has other texts, of other users. */
  round: number;
};

/** How many requests of a kind are pending when the server is stopped. */
const PENDING = 3;

/** Sends texts of some kinds and measures the effect on others. Afterwards all texts must be stored word for word. */
export async function attackWithTexts(
  arena: Arena,
  kinds: readonly string[],
  options: TextOptions,
): Promise<Phase> {
  const { seed, texts, atLeast, settleWithin, round } = options;
  const nth = round > 1 ? ` ${round}` : '';
  const planned = kinds.map((kind) => ({
    userId: `evil ${kind}${nth}`,
    deliveries: planDeliveries(seed + round - 1, texts, kind),
  }));
  const label = kinds.length > 1 ? `${kinds[0]} … ${kinds.at(-1)}` : (kinds[0] ?? '');
  const left: string[] = [];
  const setting = { kind: label, atLeast, idleUser: `idle ${label}${nth}` };
  const phase = await runPhase(arena, setting, async () => {
    const problems = await Promise.all(
      planned.map(async ({ userId, deliveries }) =>
        deliver(arena.server.url, await arena.tokenOf(userId), deliveries),
      ),
    );
    for (const { userId } of planned) {
      left.push(...(await untilSettledWithin(arena, userId, settleWithin)));
    }
    return problems.flat();
  });
  if (phase.isDown) return phase;
  for (const { userId, deliveries } of planned) {
    const sent = deliveries.flatMap((delivery) => delivery.sent);
    phase.problems.push(...(await readBack(arena.server, userId, sent)));
  }
  return phase;
}

/** Restarts the server while texts of these kinds are pending. */
export function restartDuring(
  arena: Arena,
  kinds: readonly string[],
  { seed }: Pick<TextOptions, 'seed'>,
  signal: 'SIGTERM' | 'SIGKILL',
): Promise<HostileRestart> {
  const perKind = kinds.length > 1 ? 1 : PENDING;
  const deliveries = kinds.flatMap((kind): Delivery[] =>
    // Plans enough for a few of them to be of this kind, with other words than before.
    planDeliveries(seed + 1, 1_000, kind)
      .filter(({ expect }) => expect === 'stored')
      .slice(0, perKind),
  );
  const label = kinds.length > 1 ? 'all kinds' : (kinds[0] ?? '');
  return restartWith(arena, { kind: label, userId: `pending ${label}` }, deliveries, signal);
}
