import { createMemory, type Memory } from '@mnemograph/client';
import { IMPORT_WITHIN } from '../../../../src/cli/support/memory-client.ts';
import { planImport } from '../../import-test/plan.ts';
import { hostileText, LONGEST } from '../texts/texts.ts';
import type { HostileOperation, Target } from './bounded.ts';

const IMPORTS = 30;
const TURNS = 1_000;
const LONG_TURNS = 10;

const memoryOf = async ({ url, tokenOf }: Target, user: string): Promise<Memory> =>
  createMemory({ url, token: await tokenOf(user) });

/** Thirty users import a thousand turns each at the same time. */
const thirtyImports: HostileOperation = async (target) => {
  const problems = await Promise.all(
    Array.from({ length: IMPORTS }, async (_, index) => {
      const memory = await memoryOf(target, `importer at once ${index}`);
      const turns = planImport(index, TURNS);
      const { stored } = await memory.importConversation(
        { self: 'Ada', turns },
        { timeout: IMPORT_WITHIN },
      );
      return stored === TURNS ? [] : [`${stored} of ${TURNS} turns were stored`];
    }),
  );
  return problems.flat();
};

/** A user stores long texts and facts, and forgets all of it at once. */
const forgetAll: HostileOperation = async (target) => {
  const user = 'forgetful';
  const memory = await memoryOf(target, user);
  await memory.importConversation(
    { self: 'Ada', turns: planImport(1, TURNS) },
    { timeout: IMPORT_WITHIN },
  );
  const turns = Array.from({ length: LONG_TURNS }, () => ({
    text: hostileText(Math.random, 'mixed', LONGEST),
  }));
  await memory.remember({ channel: 'sms', turns });
  const gone = await memory.forget({ everythingOf: user });
  return gone.turns === TURNS + LONG_TURNS ? [] : [`${gone.turns} turns were forgotten`];
};

/** Large changes of a memory. */
export const MEMORY_OPERATIONS: Record<string, HostileOperation> = {
  'imports-thirty-at-once': thirtyImports,
  'forget-everything': forgetAll,
};
