import { afterAll, beforeAll, expect, it } from 'vitest';
import { ARCHIVE_ROWS } from '../../../src/db/archive/archive-rows.ts';
import { type ArchiveServer, byToken, linesOf, serveArchives } from '../../support/archive.ts';
import { contextOf } from '../../support/context.ts';
import { RECORD } from '../../support/facts.ts';
import { alike, anonymous, askAll, fieldNames } from '../../support/graph.ts';
import { recallAll } from '../../support/recall.ts';
import { fullMemory } from '../../support/samples/full-memory.ts';
import { type Client, createWorld, type World } from '../../support/world.ts';

let origin: World;
let alex: Client;
let target: World;
let copy: Client;
let servers: ArchiveServer[];
let archive: string;

beforeAll(async () => {
  ({ world: origin, alex } = await fullMemory());
  target = await createWorld();
  target.now = origin.now;
  for (const world of [origin, target]) {
    world.configured({ server: { ...world.ctx.config.server, maxComplexity: 10_000_000 } });
  }
  servers = [await serveArchives(origin), await serveArchives(target)];
  archive = await (await fetchFrom(0, 'alex')).text();
  const sent = await servers[1]?.sendArchive(
    'copy of alex',
    await byToken('copy of alex'),
    archive,
  );
  expect(sent).toMatchObject({ status: 200, body: { imported: { user: 1 } } });
  copy = await target.user('copy of alex');
  await origin.settle();
  await target.settle();
});
afterAll(async () => {
  for (const server of servers) await server[Symbol.asyncDispose]();
  await target[Symbol.asyncDispose]();
  await origin[Symbol.asyncDispose]();
});

const fetchFrom = async (server: number, userId: string) =>
  (servers[server] as ArchiveServer).fetchArchive(userId, await byToken(userId));

/** Work that is done already is not in an archive. */
const TYPES = ARCHIVE_ROWS.flatMap(({ type, isWork }) => (isWork ? [] : type));

it('an archive holds rows of every kind, and the copy has the same', async () => {
  const rows = linesOf(archive).slice(1, -2);
  const found = new Set(rows.map((row) => JSON.parse(row).type));
  expect([...found]).toEqual(TYPES);
  const again = linesOf(await (await fetchFrom(1, 'copy of alex')).text()).slice(1, -2);
  const isOld = (row: string) => !row.startsWith('{"type":"user"') && rows.includes(row);
  expect(again.filter(isOld)).toEqual(rows.slice(1));
  const added = again.filter((row) => !isOld(row)).map((row) => JSON.parse(row));
  expect(new Set(added.map(({ type, kind }) => kind ?? type))).toEqual(
    new Set(['user', 'MEMORY_IMPORTED', 'TURNS_EMBEDDED', 'MEMORY_EXPORTED']),
  );
});

it('the copy answers every field of a user as the original does', async () => {
  const passing = new Set(['userId', 'events', 'jobs', 'usage']);
  for (const field of fieldNames('User').filter((name) => name !== 'id' && !passing.has(name))) {
    const [original, imported] = [await askAll(alex, field), await askAll(copy, field)];
    expect(imported, field).toEqual(alike(original));
  }
});

const QUERIES = [
  'Which store holds our vectors?',
  'What do I live on, and where do I live?',
  'Do you remember what we said of the roof of the barn?',
  'the flat in Cedofeita with a kitchen',
  'Did we talk about the tap last month?',
  'What did I say in April?',
  'cello',
  'Vim or Python?',
  'my email',
];

it.each(QUERIES)('a recall gives the same hits with the same scores: %s', async (query) => {
  const original = await recallAll(alex, { query, first: 20 });
  expect(original.hits.length).toBeGreaterThan(0);
  expect(anonymous(await recallAll(copy, { query, first: 20 }))).toEqual(
    alike(anonymous(original)),
  );
});

it.each(QUERIES)('a context is the same: %s', async (message) => {
  const input = { channel: 'sms', message, maxTokens: 2_000 };
  const original = await contextOf(alex, input);
  expect(anonymous(await contextOf(copy, input))).toEqual(alike(anonymous(original)));
});

it('a restored profile is revised when a fact that was recorded ahead begins', async () => {
  const { now } = origin;
  const client = await origin.user('ahead');
  const lives = { category: 'IDENTITY', key: 'profile:location' } as const;
  const inAMonth = new Date(now.getTime() + 30 * 86_400_000).toISOString();
  for (const more of [{ value: 'Porto' }, { value: 'Lisbon', validFrom: inAMonth }]) {
    await client.execute(RECORD, { input: { ...lives, ...more } });
  }
  await origin.settle();
  const ahead = await (await fetchFrom(0, 'ahead')).text();
  await servers[1]?.sendArchive('ahead', await byToken('ahead'), ahead);
  await target.settle();
  for (const world of [origin, target]) {
    const { rows } = await world.ctx.db.pool.query(
      "SELECT run_at AS at FROM jobs WHERE user_id = 'ahead' AND step = 'synthesize-profile'",
    );
    expect(rows).toEqual([{ at: new Date(inAMonth) }]);
  }
});

it('a restored memory continues: numbers are not reused, and a forgotten turn stays forgotten', async () => {
  const { rows } = await target.ctx.db.pool.query(
    'SELECT count(*)::int FROM jobs WHERE dead_at IS NOT NULL',
  );
  expect(rows).toEqual([{ count: 0 }]);
  const again = { text: 'Forget the zeppelin.', idempotencyKey: 'zeppelin' };
  const { body } = await copy.post({
    query: `mutation ($turns: [TurnInput!]!) {
      remember(input: { channel: "sms", turns: $turns }) {
        ... on RememberPayload { turns { status turn { text } } }
        ... on Error { message }
      }
    }`,
    variables: { turns: [again, { text: 'And the cello?' }] },
  });
  expect(body.data).toEqual({
    remember: {
      turns: [
        { status: 'FORGOTTEN', turn: null },
        { status: 'STORED', turn: { text: 'And the cello?' } },
      ],
    },
  });
});
