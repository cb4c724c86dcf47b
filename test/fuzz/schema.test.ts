import fc from 'fast-check';
import { OperationTypeNode } from 'graphql';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { schema } from '../../src/schema/index.ts';
import { type Operation, operationsOf } from '../support/fuzz/operations.ts';
import {
  createFuzzWorld,
  type FuzzErrors,
  type FuzzWorld,
  type Person,
} from '../support/fuzz/world.ts';

// biome-ignore lint/style/noProcessEnv: says how long to look, see "npm run test:fuzz"
const CASES = Number(process.env.FUZZ_CASES ?? 500);
// biome-ignore lint/style/noProcessEnv: as above
const SEED = Number(process.env.FUZZ_SEED ?? 1);
/** After so many cases what was forgotten is there again. */
const RENEW_EVERY = 250;

let world: FuzzWorld;
beforeAll(async () => {
  world = await createFuzzWorld();
}, 120_000);
afterAll(() => world[Symbol.asyncDispose]());

/** No list of this memory holds more; an answer that grows without bounds would. */
const MOST_CHARACTERS = 10_500_000;

type Case = Operation & { who: 'ann' | 'bob' | 'key' | 'nobody' };

/** Every root field as likely as every other, by one of the two users, a server or nobody. */
function cases(ann: Person, bob: Person): fc.Arbitrary<Case> {
  const ids = [...ann.ids, ...bob.ids];
  const poolOf = (words: readonly string[]) => ({ words, ids, users: ['ann', 'bob', 'nobody'] });
  const by = (who: Case['who'], words: readonly string[]) =>
    Object.values(OperationTypeNode).flatMap((kind) =>
      operationsOf(schema, kind, poolOf(words)).map(({ operations }) =>
        operations.map((operation): Case => ({ ...operation, who })),
      ),
    );
  return fc.oneof(
    ...by('ann', ann.words),
    ...by('bob', bob.words),
    ...by('ann', ann.words),
    ...by('bob', bob.words),
    ...by('key', ['neutral', 'words']),
    ...by('nobody', ['neutral', 'words']),
  );
}

type Answer = { status: number; text: string; errors: FuzzErrors };

/** What a client may be told by code; anything else would be an accident. */
const CODES = new Set([
  'BAD_REQUEST',
  'BAD_USER_INPUT',
  'UNAUTHENTICATED',
  'FORBIDDEN',
  'NOT_FOUND',
  'INVALID_INPUT',
  'CURSOR_INVALID',
  'CURSOR_EXPIRED',
]);

async function answerTo({ who, kind, query, variables }: Case): Promise<Answer> {
  const headers = who === 'nobody' ? {} : world.headersOf(who);
  const body = { query, variables };
  if (kind === OperationTypeNode.SUBSCRIPTION) return world.firstOf(body, headers);
  const { status, body: answer } = await world.server.post(body, headers);
  return { status, text: JSON.stringify(answer), errors: (answer as Partial<Answer>).errors ?? [] };
}

/** The answer to a case, which is no accident and holds nobody else's words. */
async function checked(own: Case): Promise<Answer> {
  const answer = await answerTo(own);
  const { status, text, errors } = answer;
  expect(status, text).toBeLessThan(500);
  expect(text.length).toBeLessThan(MOST_CHARACTERS);
  if (own.who === 'nobody') expect([400, 401, 406]).toContain(status);
  for (const { message, extensions } of errors) expect(CODES, message).toContain(extensions?.code);
  const may: readonly Person[] = {
    ann: [world.ann],
    bob: [world.bob],
    key: [world.ann, world.bob],
    nobody: [],
  }[own.who];
  const foreign = [world.ann, world.bob].filter((person) => !may.includes(person));
  for (const word of foreign.flatMap(({ words }) => words)) {
    expect(text.toLowerCase()).not.toContain(word);
  }
  return answer;
}

it(
  `${CASES} operations made from the schema: no 5xx, no accident, nobody else's words`,
  async () => {
    const seen = new Map<string, number>();
    let count = 0;
    const property = fc.asyncProperty(cases(world.ann, world.bob), async (own) => {
      count += 1;
      if (count % RENEW_EVERY === 0) await world.renew();
      const { errors } = await checked(own);
      if (errors.length === 0) seen.set(own.field, (seen.get(own.field) ?? 0) + 1);
    });
    await fc.assert(property, { numRuns: CASES, seed: SEED, endOnFailure: true });
    await world.renew();
    expect(await world.deadSteps()).toEqual([]);
    // A check that is refused at the door would find nothing.
    const accepted = [...seen.values()].reduce((sum, own) => sum + own, 0);
    expect(accepted).toBeGreaterThan(CASES / 4);
    process.stdout.write(`${CASES} cases, ${accepted} accepted, of ${seen.size} root fields\n`);
  },
  30_000 + CASES * 100,
);
