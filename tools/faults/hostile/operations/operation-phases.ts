import { setTimeout as delay } from 'node:timers/promises';
import { createMemory } from '@mnemograph/client';
import { IMPORT_WITHIN } from '../../../../src/cli/support/memory-client.ts';
import { planImport } from '../../import-test/plan.ts';
import type { Arena } from '../arena.ts';
import { call, operation } from '../call.ts';
import { type Phase, runPhase } from '../phase.ts';
import { untilSettledWithin } from '../restart.ts';
import { hostileText, LONGEST } from '../texts/texts.ts';
import type { HostileOperation } from './bounded.ts';
import { GRAPH_OPERATIONS, QUESTIONS } from './graph-operations.ts';
import { HTTP_OPERATIONS } from './http-operations.ts';
import { LIVE_OPERATIONS } from './live-operations.ts';
import { MEMORY_OPERATIONS } from './memory-operations.ts';

export const OPERATIONS: Record<string, HostileOperation> = {
  ...GRAPH_OPERATIONS,
  ...QUESTIONS,
  ...HTTP_OPERATIONS,
  ...LIVE_OPERATIONS,
  ...MEMORY_OPERATIONS,
};

const USER = 'evil';
const REMEMBER = 'mutation ($input: RememberInput!) { remember(input: $input) { __typename } }';
/** The list of 10 MB is sent in this many calls. */
const CALLS = 4;
const TURNS = 25;
const SETTLED_WITHIN = 60_000;

/** Fills the hostile user's memory with long lists. */
export async function fillMemory(arena: Arena): Promise<void> {
  const token = await arena.tokenOf(USER);
  for (let count = 0; count < CALLS; count += 1) {
    const turns = Array.from({ length: TURNS }, () => ({
      text: hostileText(Math.random, 'latin', LONGEST / 2).padEnd(LONGEST, 'x'),
      role: 'ASSISTANT',
    }));
    const body = operation(REMEMBER, { input: { channel: 'sms', turns } });
    const { status, text } = await call(arena.server.url, token, { body });
    if (status !== 200) throw new Error(`The long list is not stored: ${status} ${text}`);
  }
  await untilSettledWithin(arena, USER, SETTLED_WITHIN);
}

/** Runs a hostile operation and measures its effect on others. */
export async function attackWithOperation(
  arena: Arena,
  name: string,
  atLeast: number,
): Promise<Phase> {
  const run = OPERATIONS[name] as HostileOperation;
  const target = {
    url: arena.server.url,
    token: await arena.tokenOf(USER),
    userId: USER,
    tokenOf: arena.tokenOf,
  };
  return runPhase(arena, { kind: name, atLeast }, () => run(target));
}

/** The name of the attack by a long import. */
export const LONG_IMPORT = 'long-import';

type ImportOptions = {
  turns: number;
  seed: number;
  /** The number of the round: each imports as another user, and has other new users. */
  round: number;
  /** How long to measure during the background work, in milliseconds. */
  workedOnFor: number;
};

/** The number of turns per call, so that its body is below MAX_BODY_BYTES. */
const IMPORT_CALL = 10_000;

/** A user imports a long conversation at once. New users send messages during the import and the background work. */
export function attackWithImport(
  arena: Arena,
  { turns, seed, round, workedOnFor }: ImportOptions,
): Promise<Phase> {
  const importer = `importer ${round}`;
  const setting = { kind: LONG_IMPORT, atLeast: workedOnFor, idleUser: `idle import ${round}` };
  return runPhase(arena, setting, async () => {
    const memory = createMemory({ url: arena.server.url, token: await arena.tokenOf(importer) });
    const all = planImport(seed + round, turns);
    for (let from = 0; from < all.length; from += IMPORT_CALL) {
      const part = all.slice(from, from + IMPORT_CALL);
      await memory.importConversation({ self: 'Ada', turns: part }, { timeout: IMPORT_WITHIN });
    }
    await delay(workedOnFor);
    return [];
  });
}
