import { runInFlight } from '../../support/measure.ts';
import type { ServerProcess } from '../../support/server-process.ts';
import type { Forgetting } from './acts.ts';
import type { Call } from './plan.ts';

type Client = Pick<ServerProcess, 'request'>;
export type Remembered = { status: string; turn: { id: string } | null };

/** What became of a call: `ids` of its turns when it was acknowledged. */
export type Sent = { call: Call; sent: boolean; ids: string[] | null };

const IN_FLIGHT = 8;
const REMEMBER = `mutation ($input: RememberInput!) {
  remember(input: $input) {
    __typename
    ... on RememberPayload { turns { status turn { id } } }
    ... on Error { message }
  }
}`;

/** Sends one call. @throws when it is refused or no answer comes */
export async function remember(client: Client, call: Call): Promise<Remembered[]> {
  type Answer = { remember: { __typename: string; turns?: Remembered[] } };
  const { remember: result } = await client.request<Answer>(REMEMBER, { input: call });
  if (!result.turns) throw new Error(`A call was refused: ${JSON.stringify(result)}`);
  return result.turns;
}

/** How a server is ended: at once, or while it stops by itself. */
export type Ending = {
  /** After so many calls were acknowledged. */
  after: number;
  /** And so many milliseconds more. */
  pause: number;
  /** Milliseconds between SIGTERM and SIGKILL; null = SIGKILL alone. */
  stopping: number | null;
};

/**
 * Sends calls, several at a time, and what may come between them, and ends the server in the middle. Returns when it is
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
 * Sends every call again with its keys. Returns what the answers should not have said: an
 * acknowledged turn must be known, as the very turn it was, and one that was forgotten stays so.
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
