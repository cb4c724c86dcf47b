import { mkdtemp, readFile as read, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createMemory } from '@mnemograph/client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createApiKey } from '../../src/auth/api-keys.ts';
import { gather } from '../../src/cli/import/gather.ts';
import { readFile } from '../../src/cli/import/read-file.ts';
import { send, type Tally } from '../../src/cli/import/send.ts';
import { freePort } from '../../tools/support/free-port.ts';
import { type ArchiveServer, serveArchives } from '../support/archive.ts';
import { runCommand } from '../support/command.ts';
import { say } from '../support/samples/conversation.ts';
import { createTestServer, OPEN } from '../support/server.ts';
import { createWorld, userToken, type World } from '../support/world.ts';

let world: World;
let server: ArchiveServer;
let folder: string;
beforeAll(async () => {
  world = await createWorld({ EMBEDDER: 'none' });
  server = await serveArchives(world);
  folder = await mkdtemp(join(tmpdir(), 'mnemograph-import-'));
});
afterAll(async () => {
  await rm(folder, { recursive: true });
  await server[Symbol.asyncDispose]();
  await world[Symbol.asyncDispose]();
});

const file = (name: string) => fileURLToPath(new URL(name, import.meta.url));

/** Runs a command as npm does, for a user with a token. */
async function run(name: 'import' | 'export', userId: string, ...args: string[]) {
  const env = { MNEMOGRAPH_URL: server.origin, MNEMOGRAPH_API_KEY: await userToken(userId) };
  return runCommand(name, args, env);
}

/** A user's threads with their turns, the earliest first. */
async function threadsOf(userId: string) {
  const { rows } = await world.ctx.db.pool.query<{
    title: string;
    channels: string[];
    turns: string[][];
  }>(
    `SELECT title, channels, imported, array_agg(ARRAY[role::text, speaker, text] ORDER BY number) AS turns
    FROM threads t JOIN turns USING (user_id) WHERE user_id = $1 AND turns.thread_id = t.id
    GROUP BY user_id, t.id, title, channels, imported ORDER BY t.id`,
    [userId],
  );
  return rows;
}

const CELLO = [
  ['USER', 'User', 'Where can I buy a cello in Porto?'],
  ['ASSISTANT', 'ChatGPT', 'There is a luthier in Cedofeita.'],
  ['USER', 'User', 'Is this one a good one?'],
  ['ASSISTANT', 'ChatGPT', 'It looks well made.'],
];

it('each ChatGPT conversation becomes a thread with its current branch, and a second import stores nothing', async () => {
  const args = ['chatgpt', file('chatgpt-fixture.json')];
  const { code, out, problems } = await run('import', 'gpt', ...args);
  expect([code, problems]).toEqual([0, '']);
  expect(out.trim().split('\n')).toEqual([
    '3 conversations: 6 turns stored, 0 already stored, 0 not stored because they were forgotten.',
    'Skipped: 3 messages of the system or a tool.',
    'Skipped: 1 messages to a tool.',
    'Skipped: 1 attachments.',
    'Skipped: 1 conversations of an unknown form.',
    'Skipped: 1 conversations in which the user says nothing.',
  ]);
  const threads = [
    { title: 'Cello in Porto', channels: ['chatgpt'], imported: true, turns: CELLO },
    {
      title: 'Branch of Cello in Porto',
      channels: ['chatgpt'],
      imported: true,
      turns: [CELLO[0], ['ASSISTANT', 'ChatGPT', 'Or look for a used one.']],
    },
  ];
  expect(await threadsOf('gpt')).toEqual(threads);
  const { rows } = await world.ctx.db.pool.query<{ at: Date }>(
    `SELECT min(occurred_at) AS at FROM turns WHERE user_id = 'gpt'`,
  );
  expect(rows[0]?.at.toISOString()).toBe('2024-03-01T08:00:00.250Z');
  expect((await run('import', 'gpt', ...args)).out).toContain('0 turns stored, 6 already stored');
  expect(await threadsOf('gpt')).toEqual(threads);
});

it('each Claude conversation becomes a thread with its text blocks', async () => {
  const { code, out } = await run('import', 'claude', 'claude', file('claude-fixture.json'));
  expect(code).toBe(0);
  expect(out.trim().split('\n')).toEqual([
    '1 conversations: 3 turns stored, 0 already stored, 0 not stored because they were forgotten.',
    'Skipped: 2 tool calls, thoughts and other content.',
    'Skipped: 1 attachments.',
    'Skipped: 1 messages without text.',
  ]);
  expect(await threadsOf('claude')).toMatchObject([
    {
      title: 'Bread',
      turns: [
        ['USER', 'User', 'How long does sourdough rise?'],
        ['ASSISTANT', 'Claude', 'Overnight, in the fridge.\nOr four hours in a warm kitchen.'],
        ['USER', 'User', 'It rose well.'],
      ],
    },
  ]);
});

it('JSON lines of the same conversation become one thread, even if other lines stand between them', async () => {
  const ran = await run('import', 'lines', 'jsonl', file('lines-fixture.jsonl'));
  expect(ran.out).toContain('3 conversations: 5 turns stored, 0 already stored');
  expect(ran.out).toContain('Skipped: 1 messages of the system or a tool.');
  expect(await threadsOf('lines')).toMatchObject([
    {
      title: 'Boat',
      turns: [
        ['USER', 'User', 'I bought a boat.'],
        ['ASSISTANT', 'Bot', 'What is its name?'],
        ['USER', 'User', 'Nautilus.'],
      ],
    },
    { title: null, turns: [['USER', 'User', 'Which bus goes to Braga?']] },
    { title: null, turns: [['USER', 'User', 'No conversation.']] },
  ]);
  // Two lines of the file are not turns.
  expect(ran.code).toBe(1);
});

it('lines that are no turns are named with what is wrong, and the others are stored', async () => {
  const path = join(folder, 'wrong.jsonl');
  const when = (occurredAt: unknown) => ({ role: 'user', text: 'Hello.', occurredAt });
  const wrong = [
    ...[when('2024-01-01'), when('2024-01-01T10:00:00'), when(1704103200)],
    { occurredAt: '2024-01-01T10:00:00Z', speaker: '' },
    when('2024-01-01T10:00:00Z'),
    ['text'],
  ];
  const lines = ['', ...wrong.map((line) => JSON.stringify(line)), '{"text": "Hel'];
  await writeFile(path, lines.join('\n'));
  const ran = await run('import', 'wrong', 'jsonl', path);
  expect(ran).toMatchObject({ code: 1, out: expect.stringContaining(': 1 turns stored, ') });
  const time = 'occurredAt: must be a time with its zone, such as "2026-03-02T09:30:00Z"';
  expect(ran.problems.trim().split('\n')).toEqual([
    ...[2, 3, 4].map((number) => `Not read: line ${number}: ${time}.`),
    'Not read: line 5: text: must be a text; speaker: must not be empty.',
    'Not read: line 7: must be a JSON object.',
    'Not read: 1 more lines.',
  ]);
});

it('an import fails with a short message when a file is broken or missing, or the server is not running', async () => {
  const broken = join(folder, 'broken.json');
  await writeFile(broken, '[{"title": "x", "mapping": {}}, {');
  const url = `http://127.0.0.1:${await freePort()}`;
  const nothing = (where: string) => join(where, 'nothing.json');
  // The one that finds no server tries again for some seconds.
  const [away, unread, missing, inFile] = await Promise.all([
    run('import', 'away', 'claude', '--url', url, file('claude-fixture.json')),
    run('import', 'broken', 'chatgpt', broken),
    run('import', 'missing', 'claude', nothing(folder)),
    run('import', 'unreadable', 'claude', nothing(broken)),
  ]);
  expect(away).toMatchObject({
    code: 1,
    problems: expect.stringMatching(/ECONNREFUSED.*\nRun the same command again/),
  });
  expect(unread).toMatchObject({
    code: 1,
    problems: expect.stringContaining('cannot be read as chatgpt'),
  });
  expect(missing.problems).toMatch(/^There is no file .*nothing.json.\n$/);
  expect(inFile.problems).toMatch(/^Cannot read .*nothing.json: ENOTDIR.*\n$/);
});

it('an import that was killed continues in the same thread when it is repeated', async () => {
  const path = join(folder, 'long.jsonl');
  const turns = Array.from({ length: 2_500 }, (_, index) => ({
    conversation: 'long',
    role: index % 2 === 0 ? 'user' : 'assistant',
    text: `Turn ${index}`,
    occurredAt: new Date(Date.UTC(2024, 0, 1) + index * 1_000).toISOString(),
  }));
  await writeFile(path, turns.map((turn) => JSON.stringify(turn)).join('\n'));
  const memory = createMemory({ url: server.origin, token: await userToken('killed') });
  const importOnce = async (most: number) => {
    const tally: Tally = {
      ...{ conversations: 0, stored: 0, alreadyStored: 0, forgotten: 0 },
      skipped: {},
      refused: [],
    };
    let requests = 0;
    const dying: Pick<typeof memory, 'importConversation'> = {
      importConversation: async (...args) => {
        requests += 1;
        const answer = await memory.importConversation(...args);
        if (requests === most) throw new Error('killed before the answer was noted');
        return answer;
      },
    };
    const read = readFile(path, { format: 'jsonl', self: 'User', now: world.now }, () => {});
    const target = { memory: dying, channel: 'jsonl', others: 'ASSISTANT' } as const;
    const ended = await send(gather(read, tally.skipped), target, tally).catch(String);
    return { ended, ...tally };
  };
  expect(await importOnce(2)).toMatchObject({ ended: expect.stringContaining('killed') });
  const again = await importOnce(100);
  expect(again).toMatchObject({ conversations: 1, refused: [], alreadyStored: 2_000, stored: 500 });
  const threads = await threadsOf('killed');
  expect(threads).toHaveLength(1);
  expect(threads[0]?.turns.map(([, , text]) => text)).toEqual(turns.map(({ text }) => text));
});

it('"npm run export" writes a memory to a file, and "npm run import -- archive" restores it', async () => {
  const path = join(folder, 'lines.ndjson');
  const exported = await run('export', 'lines', '--user', 'lines', '--output', path);
  expect(exported).toMatchObject({ code: 0, problems: '' });
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  const { out } = await run('export', 'lines', '--user', 'lines');
  expect(out.split('\n').length).toBe((await read(path, 'utf8')).split('\n').length + 1);
  const imported = await run('import', 'back', 'archive', '--user', 'back', path);
  expect(imported).toMatchObject({ code: 0, out: 'Imported 5 turns, 0 episodes, 0 facts.\n' });
  expect(await threadsOf('back')).toEqual(await threadsOf('lines'));
  const twice = await run('import', 'back', 'archive', '--user', 'back', path);
  expect(twice).toMatchObject({
    code: 1,
    problems: expect.stringContaining('is not empty, or has held something before'),
  });
});

it('without --user an archive is that of the user of a token, and a key for all users must name one', async () => {
  const own = await run('export', 'lines');
  expect(own).toMatchObject({ code: 0, out: expect.stringContaining('Nautilus') });
  const { secret } = await createApiKey(world.ctx, 'all', { userId: null, access: 'ALL' });
  const env = { MNEMOGRAPH_URL: server.origin, MNEMOGRAPH_API_KEY: secret };
  const problems = 'This API key acts for many users: name one with --user.\n';
  expect(await runCommand('export', [], env)).toMatchObject({ code: 1, problems });
  const args = ['archive', file('lines-fixture.jsonl')];
  expect(await runCommand('import', args, env)).toMatchObject({ code: 1, problems });
});

it('"npm run export" needs no credentials on an open server', async () => {
  await using open = await createTestServer(OPEN);
  await say(open.world.client(), { channel: 'sms', turns: [{ text: 'My cat is Luna.' }] });
  const exported = await runCommand('export', [], { MNEMOGRAPH_URL: open.origin });
  expect(exported).toMatchObject({ code: 0, out: expect.stringContaining('My cat is Luna.') });
});
