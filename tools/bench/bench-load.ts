import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Command } from 'commander';
import { SignJWT } from 'jose';
import { countOption } from '../../src/cli/support/count-option.ts';
import { lastEventOf } from '../../src/cli/support/memory-client.ts';
import { showProgress } from '../../src/cli/support/progress.ts';
import { runCommand } from '../../src/cli/support/run-command.ts';
import { BUILT_IN_MODEL } from '../../src/domain/core/embedding-profile.ts';
import { loadAverage, quantile, runInFlight, timed } from '../support/measure.ts';
import { describeSetting, printResult, printSetting, printTable } from '../support/report.ts';
import { residentMegabytes } from '../support/resident-memory.ts';
import { createScratchPlace } from '../support/scratch-place.ts';
import { type ServerProcess, startServerProcess } from '../support/server-process.ts';
import { atRate } from './load/rates.ts';
import { type Subscriber, subscribe } from './load/subscribers.ts';

type Options = {
  databaseUrl?: string;
  processes: number;
  subscribers: number;
  users: number;
  rate: number;
  seconds: number;
};

const REMEMBER = `mutation Remember($input: RememberInput!) {
  remember(input: $input) { __typename ... on Error { message } }
}`;
/** How long the last events may take to arrive, in milliseconds. */
const ARRIVE_WITHIN = 60_000;
const IN_FLIGHT = 16;

await runCommand(() =>
  new Command('npm run bench:load --')
    .description(
      'Measures live events: how late they reach many subscribers, and whether all arrive.',
    )
    .option(
      '--database-url <url>',
      'PostgreSQL server on which to create a database; else embedded',
    )
    .option('--processes <count>', 'servers on that database', countOption, 1)
    .option(
      '--subscribers <count>',
      'live subscriptions, each on its own WebSocket',
      countOption,
      1_000,
    )
    .option('--users <count>', 'memories that they follow', countOption, 500)
    .option('--rate <count>', 'turns remembered per second', countOption, 50)
    .option('--seconds <count>', 'how long to send turns', countOption, 60)
    .action(measure)
    .parseAsync(),
);

async function measure(options: Options): Promise<void> {
  const { databaseUrl, processes } = options;
  const secret = randomBytes(32).toString('hex');
  await using place = await createScratchPlace(databaseUrl);
  const env = { ...place.env, JWT_SECRET: secret };
  const apiKey = await makeKey(place.env);
  const servers: ServerProcess[] = [];
  try {
    for (let index = 0; index < processes; index += 1) {
      servers.push(await startServerProcess({ env, apiKey }));
    }
    await load(servers, secret, options);
  } finally {
    for (const server of servers.reverse()) await server[Symbol.asyncDispose]();
  }
}

/** Creates the first API key, which an open server lets anybody do. */
async function makeKey(env: Record<string, string>): Promise<string> {
  await using server = await startServerProcess({ env });
  return server.apiKey;
}

async function load(
  servers: readonly ServerProcess[],
  secret: string,
  { databaseUrl, processes, users, rate, seconds, ...options }: Options,
): Promise<void> {
  const nameOf = (index: number) => `user-${index % users}`;
  const serverOf = (index: number) => servers[index % servers.length] as ServerProcess;
  const remember = async (index: number, text: string) => {
    const input = { userId: nameOf(index), channel: 'sms', turns: [{ text }] };
    const { remember: answer } = await serverOf(index).request<{
      remember: { __typename: string };
    }>(REMEMBER, { input });
    if (answer.__typename !== 'RememberPayload') throw new Error(JSON.stringify(answer));
  };
  // Creates every memory before it is followed, and warms the servers up.
  await runInFlight(users, IN_FLIGHT, (index) => remember(index, `Hello number ${index}.`));
  await delay(2_000);

  const sentAt = new Map<string, number>();
  const latencies: number[] = [];
  const before = residentOf(servers);
  const subscribers: Subscriber[] = [];
  const token = async (userId: string) =>
    new SignJWT({})
      .setProtectedHeader({ alg: 'HS256' })
      .setSubject(userId)
      .setExpirationTime('1h')
      .sign(new TextEncoder().encode(secret));
  const onTurn = (text: string) => {
    const sent = sentAt.get(text);
    if (sent !== undefined) latencies.push(performance.now() - sent);
  };
  {
    using made = showProgress('subscribers', options.subscribers);
    for (let index = 0; index < options.subscribers; index += 1) {
      const userId = nameOf(index);
      // Spread so that some subscribers of each memory are on another process than its writer.
      const { url } = serverOf(Math.floor(index / users) + index);
      const subscriber = await subscribe(url, { userId, token: await token(userId) }, onTurn);
      subscribers.push(subscriber);
      made.add(1);
    }
  }
  await delay(3_000);
  const idle = residentOf(servers);

  const acknowledged: number[] = [];
  {
    using progress = showProgress('turns remembered', rate * seconds);
    await atRate(rate, rate * seconds, async (index) => {
      const text = `This is message number ${index} about the garden and the harbour.`;
      sentAt.set(text, performance.now());
      acknowledged.push((await timed(() => remember(index, text))).ms);
      progress.add(1);
    });
  }
  const missed = await countMissed(servers[0] as ServerProcess, subscribers, users);
  const busy = residentOf(servers);
  const burst = await timed(() =>
    runInFlight(2_000, IN_FLIGHT, (index) => remember(index, `Burst ${index}.`)),
  );

  for (const subscriber of subscribers) await subscriber.close();

  const result = {
    subscribers: subscribers.length,
    processes,
    eventP50Ms: quantile(latencies, 0.5),
    eventP95Ms: quantile(latencies, 0.95),
    eventMaxMs: Math.max(...latencies),
    rememberP50Ms: quantile(acknowledged, 0.5),
    rememberP95Ms: quantile(acknowledged, 0.95),
    events: subscribers.reduce((sum, { events }) => sum + events, 0),
    turnsSeen: latencies.length,
    missed,
    memoryPerSubscriberKB: ((idle - before) * 1024) / subscribers.length,
    memoryMB: busy,
    turnsPerSecond16InFlight: 2_000 / (burst.ms / 1000),
  };
  const setting = await describeSetting('made-up messages', BUILT_IN_MODEL, databaseUrl);
  printSetting(setting);
  printTable([
    [`${subscribers.length} subscribers, ${rate} turns/s for ${seconds} s`, ''],
    ...Object.entries(result).map(([name, figure]) => [name, String(Math.round(figure * 10) / 10)]),
    ['load average', String(loadAverage())],
  ]);
  printResult({ ...result, rate, seconds, users, loadAverage: loadAverage(), ...setting });
  if (missed > 0 || latencies.length === 0) process.exitCode = 1;
}

/** The resident memory of all servers, in MB. */
function residentOf(servers: readonly ServerProcess[]): number {
  return servers.reduce((sum, { pid }) => sum + residentMegabytes(pid), 0);
}

/** Waits until the log no longer grows, and counts events that are missing, duplicated or out of order. */
async function countMissed(
  server: ServerProcess,
  subscribers: readonly Subscriber[],
  users: number,
): Promise<number> {
  const until = performance.now() + ARRIVE_WITHIN;
  for (;;) {
    const newest = new Map<string, number>();
    await runInFlight(users, IN_FLIGHT, async (index) => {
      const userId = `user-${index}`;
      newest.set(userId, await lastEventOf(server, userId));
    });
    await delay(500);
    const behind = subscribers.reduce(
      (sum, { userId, last }) => sum + Math.max(0, (newest.get(userId) ?? 0) - last),
      0,
    );
    const gaps = subscribers.reduce((sum, { gaps }) => sum + gaps, 0);
    if (behind === 0 || performance.now() > until) return behind + gaps;
  }
}
