import type { Remembered } from '@mnemograph/client';
import { runInFlight } from '../../support/measure.ts';
import type { ServerProcess } from '../../support/server-process.ts';
import type { Forgetting } from './acts.ts';
import type { Call } from './plan.ts';

type Client = Pick<ServerProcess, 'memory'>;
export type RememberedTurn = Remembered['turns'][number];

/** A call and its result; `ids`: the ids of its turns if it was acknowledged. */
export type Sent = { call: Call; sent: boolean; ids: string[] | null };

const IN_FLIGHT = 8;

/** Sends one call. @throws if it is refused or not answered */
export async function remember({ memory }: Client, call: Call): Promise<RememberedTurn[]> {
  const { userId, ...turns } = call;
  return (await memory.as(userId).remember(turns)).turns;
}

/** When and how to kill a server: at once, or during its stop. */
export type Ending = {
  /** After how many acknowledged calls. */
  after: number;
  /** How many milliseconds after that. */
  pause: number;
  /** Milliseconds between SIGTERM and SIGKILL; null = SIGKILL alone. */
  stopping: number | null;
};

/**
 * Sends calls, several at a time, and the acts between them, and kills the server in the middle. Returns when it is
 * dead.
 */
export async function sendUntilKilled(
  server: ServerProcess,
  calls: readonly Call[],
  { after, pause, stopping }: Ending,
  between: (entry: Sent) => Promise<void> = async () => {},
): Promise<Sent[]> {
  const all = calls.map((call): Sent => ({ call, sent: false, ids: null }));
  let acknowledged = 0;
  let killed = false;
  const kill = () => {
    killed = true;
    if (stopping === null) return server.kill('SIGKILL');
    server.kill('SIGTERM');
    setTimeout(() => server.kill('SIGKILL'), stopping);
  };
  await runInFlight(all.length, IN_FLIGHT, async (index) => {
    const entry = all[index] as Sent;
    if (killed) return;
    entry.sent = true;
    try {
      const turns = await remember(server, entry.call);
      entry.ids = turns.map(({ turn }) => turn?.id ?? '');
      acknowledged += 1;
      if (acknowledged === after) setTimeout(kill, pause);
      if (!killed) await between(entry);
    } catch (error) {
      if (!killed) throw error;
    }
  });
  if (!killed) kill();
  await server.exited;
  return all;
}

/**
 * Sends every call again with its keys. An acknowledged turn must be known under the same id, and a forgotten
 * one must stay forgotten. @returns a line for each wrong answer
 */
export async function sendAgain(
  client: Client,
  all: readonly Sent[],
  forgets: readonly Forgetting[] = [],
): Promise<string[]> {
  const isForgotten = (entry: Sent, place: number) =>
    forgets.some((own) => own.entry === entry && own.place === place);
  const problems: string[] = [];
  await runInFlight(all.length, IN_FLIGHT, async (index) => {
    const entry = all[index] as Sent;
    const turns = await remember(client, entry.call);
    turns.forEach(({ status, turn }, place) => {
      const known = entry.ids?.[place];
      if (isForgotten(entry, place)) {
        if (status === 'FORGOTTEN') return;
        problems.push(
          `turn ${entry.call.turns[place]?.idempotencyKey} was forgotten and is ${status}`,
        );
      } else if (known !== undefined && (status !== 'ALREADY_STORED' || turn?.id !== known)) {
        const key = entry.call.turns[place]?.idempotencyKey;
        problems.push(`turn ${key} was acknowledged and is ${status} when sent again`);
      }
    });
    entry.sent = true;
    entry.ids ??= turns.map(({ turn }) => turn?.id ?? '');
  });
  return problems;
}
