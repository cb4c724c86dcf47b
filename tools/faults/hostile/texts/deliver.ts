import { setTimeout as delay } from 'node:timers/promises';
import { runInFlight } from '../../../support/measure.ts';
import { call, type HostileAnswer } from '../call.ts';
import type { Delivery } from './deliveries.ts';

type Payload = {
  __typename?: string;
  message?: string;
  turns?: { status: string }[];
  stored?: number;
  alreadyStored?: number;
};
type Body = {
  data?: Record<string, Payload | null> | null;
  errors?: { message: string; extensions?: { code?: string; retryable?: boolean } }[];
};

const IN_FLIGHT = 4;
const AGAIN_AFTER = 500;
/** How long a server may answer that it is busy, in milliseconds. */
const BUSY_FOR = 60_000;
const SHOWN = 200;

/** Sends hostile texts, several at a time, and repeats them while the server is busy. @returns a line for each wrong answer */
export async function deliver(
  url: string,
  token: string,
  deliveries: readonly Delivery[],
): Promise<string[]> {
  const problems: string[] = [];
  await runInFlight(deliveries.length, IN_FLIGHT, async (index) => {
    const delivery = deliveries[index] as Delivery;
    const answer = await untilTaken(url, token, delivery.body);
    const problem = judge(delivery, answer);
    if (problem) problems.push(`${delivery.kind} ${index}: ${problem}`);
  });
  return problems;
}

async function untilTaken(url: string, token: string, body: string): Promise<HostileAnswer> {
  const began = performance.now();
  for (;;) {
    const answer = await call(url, token, { body });
    const isBusy = parse(answer)?.errors?.every(({ extensions }) => extensions?.retryable === true);
    if (!isBusy || performance.now() - began > BUSY_FOR) return answer;
    await delay(AGAIN_AFTER);
  }
}

function judge({ expect, sent }: Delivery, answer: HostileAnswer): string | null {
  const { status, seconds, text } = answer;
  const payload = Object.values(parse(answer)?.data ?? {})[0];
  const wrong = `${status} in ${seconds.toFixed(1)} s: ${text.slice(0, SHOWN)}`;
  if (expect === 'stored') {
    const count =
      payload?.turns?.filter((turn) => /STORED/.test(turn.status)).length ??
      (payload?.stored ?? 0) + (payload?.alreadyStored ?? 0);
    return count === sent.length ? null : `${count} of ${sent.length} stored, ${wrong}`;
  }
  const said = payload?.message ?? parse(answer)?.errors?.[0]?.message;
  const isClear = status > 0 && status < 500 && Boolean(said);
  if (expect === 'refused') return isClear ? null : `not refused clearly, ${wrong}`;
  return isClear || (status === 200 && payload?.__typename) ? null : wrong;
}

function parse({ text }: HostileAnswer): Body | null {
  try {
    return JSON.parse(text) as Body;
  } catch {
    // Not an answer of GraphQL: it is shown as it is.
    return null;
  }
}
