import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApiKey } from '../../../src/auth/api-keys.ts';
import {
  type ArchiveServer,
  byToken,
  type Credentials,
  linesOf,
  serveArchives,
  withRows,
} from '../../support/archive.ts';
import { talk } from '../../support/episodes.ts';
import { say } from '../../support/samples/conversation.ts';
import { type Client, createWorld, type World } from '../../support/world.ts';

let world: World;
let server: ArchiveServer;
let ada: Client;
let byKey: Credentials;
let archive: string;

beforeAll(async () => {
  world = await createWorld({ EMBEDDER: 'none' });
  server = await serveArchives(world);
  const { secret } = await createApiKey(world.ctx, 'archives');
  byKey = { authorization: `Bearer ${secret}` };
  ada = await world.user('ada/lovelace');
  const texts = ['My email is ada@example.org.', 'A line\u2028of its own, "quoted".', 'Noted 🦉.'];
  await say(ada, { channel: 'sms', turns: talk(texts, '2026-03-02T08:00:00Z') });
  await world.settle();
  archive = await (await server.fetchArchive('ada/lovelace', byKey)).text();
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await world[Symbol.asyncDispose]();
});

const rowsOf = async (userId: string) =>
  (await world.ctx.db.pool.query('SELECT FROM users WHERE user_id = $1', [userId])).rowCount;

describe('exportMemory', () => {
  it('exportMemory returns the URL of the archive, and NOT_FOUND for an unknown user', async () => {
    const ask = (userId: string) => ({
      query: `mutation ($userId: String) { exportMemory(userId: $userId) {
        ... on ExportPayload { url expiresAt } ... on Error { code } } }`,
      variables: { userId },
    });
    const answer = async (userId: string) => (await ada.post(ask(userId))).body.data;
    expect(await answer('ada/lovelace')).toEqual({
      exportMemory: {
        url: expect.stringMatching(/^\/export\/ada%2Flovelace\?ticket=[\w-]{43}$/),
        expiresAt: '2026-03-02T09:10:00.000Z',
      },
    });
    expect(await answer('bob')).toEqual({ exportMemory: { code: 'NOT_FOUND' } });
    const key = await world.key();
    const { body } = await key.post(ask('nobody'));
    expect(body.data).toEqual({ exportMemory: { code: 'NOT_FOUND' } });
  });

  it('an export consists of lines with a header, the rows and the counts again', async () => {
    const response = await server.fetchArchive('ada/lovelace', await byToken('ada/lovelace'));
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'application/x-ndjson',
      'content-disposition': 'attachment; filename="memory-2026-03-02.ndjson"',
      'cache-control': 'no-store',
    });
    const lines = linesOf(await response.text())
      .slice(0, -1)
      .map((line) => JSON.parse(line));
    const { counts, ...header } = lines[0];
    expect(header).toEqual({
      format: 'mnemograph-archive',
      version: 1,
      user: 'ada/lovelace',
      exported_at: '2026-03-02T09:00:00.000Z',
    });
    expect(counts).toMatchObject({ user: 1, turn: 3 });
    expect(lines.at(-1)).toMatchObject({ type: 'end', counts });
    expect(lines.filter(({ type }) => type === 'turn')[1]).toMatchObject({
      text: 'A line\u2028of its own, "quoted".',
      occurred_at: '2026-03-02T08:01:00+00:00',
    });
    expect(lines.at(-2)).toMatchObject({ type: 'memory_event', kind: 'MEMORY_EXPORTED' });
  });

  it('an export is available to its user and to an API key, and for anybody else the user does not exist', async () => {
    const statuses = async (userId: string, by: Credentials) => {
      const { status } = await server.fetchArchive(userId, by);
      const sent = await server.sendArchive(userId, by, archive);
      return [status, sent.status];
    };
    expect(await statuses('ada/lovelace', await byToken('bob'))).toEqual([404, 404]);
    expect(await statuses('nobody', await byToken('bob'))).toEqual([404, 404]);
    expect(await statuses('ada/lovelace', { authorization: '' })).toEqual([405, 401]);
    const { status } = await server.fetchArchive('nobody', byKey);
    expect(status).toBe(404);
    expect(await rowsOf('nobody')).toBe(0);
    const other = await fetch(`${server.origin}/export/x`, { method: 'PUT', headers: byKey });
    expect([other.status, other.headers.get('allow')]).toEqual([405, 'GET, POST']);
  });

  it('a slow reader does not delay other callers and uses one place', async () => {
    const text = 'word '.repeat(19_000);
    const turns = Array.from({ length: 60 }, () => ({ text }));
    await say(await world.user('long'), { channel: 'sms', turns });
    const abort = new AbortController();
    const slow = await fetch(`${server.origin}/export/long`, {
      headers: byKey,
      signal: abort.signal,
    });
    expect(Number(slow.headers.get('content-length'))).toBeGreaterThan(5_000_000);
    await say(await world.user('long'), { channel: 'sms', turns: [{ text: 'still here' }] });
    const second = await server.fetchArchive('long', byKey);
    expect([second.status, second.headers.get('retry-after')]).toEqual([429, '10']);
    abort.abort();
    await expect
      .poll(async () => {
        const response = await server.fetchArchive('long', byKey);
        return [response.status, linesOf(await response.text()).length > 60];
      })
      .toEqual([200, true]);
  });
});

describe('POST /import', () => {
  it('an archive can be imported for another user who has no memory, with an API key or the token of that user', async () => {
    const sent = await server.sendArchive('key-copy', byKey, archive);
    expect(sent).toMatchObject({ status: 200, body: { imported: { turn: 3, user: 1 } } });
    const own = await server.sendArchive('own-copy', await byToken('own-copy'), archive);
    expect(own.status).toBe(200);
    const { rows } = await world.ctx.db.pool.query(
      `SELECT user_id, text FROM turns WHERE text LIKE '%of its own%' ORDER BY 1`,
    );
    expect(rows.map(({ user_id }) => user_id)).toEqual(['ada/lovelace', 'key-copy', 'own-copy']);
    expect(new Set(rows.map(({ text }) => text)).size).toBe(1);
  });

  it('an import does not overwrite the memory of a user', async () => {
    for (const userId of ['ada/lovelace', 'key-copy']) {
      const { status, body } = await server.sendArchive(userId, byKey, archive);
      expect([status, body.errors?.[0]?.extensions.code]).toEqual([409, 'MEMORY_NOT_EMPTY']);
    }
  });

  const rows = (change: (row: string) => string) => () =>
    withRows(archive, (all) => all.map(change));
  const more = (json: string) => rows((row) => row.replace(/}$/, `,"more":${json}}`));
  const cases: [string, () => string, RegExp][] = [
    ['nothing', () => '', /ends after line 0/],
    ['a file that is cut', () => archive.slice(0, -200), /no JSON object|ends after line/],
    [
      'one before its closing line',
      () => `${linesOf(archive).slice(0, -2).join('\n')}\n`,
      /ends after/,
    ],
    ['one without a row', () => linesOf(archive).toSpliced(3, 1).join('\n'), /not as many as/],
    ['a changed word', () => archive.replace('Noted', 'Hated'), /SHA-256/],
    ['something behind the end', () => `${archive}{}\n`, /behind the end/],
    ['another file', () => '{"some": "json"}\n', /line 1: it is not the header/],
    [
      'a later version',
      () => archive.replace('"version":1', '"version":2'),
      /reads version 1, not 2/,
    ],
    [
      'another type of row',
      rows((row) => row.replace('"type":"turn"', '"type":"tune"')),
      /no such "type"/,
    ],
    [
      'an unknown column',
      rows((row) => row.replace('"number":1', '"number":1,"x":1')),
      /Unrecognized/,
    ],
    ['another kind of value', rows((row) => row.replace('"role":"USER"', '"role":"ROOT"')), /role/],
    [
      'a time zone that is none',
      rows((row) => row.replace('"time_zone":null', '"time_zone":"Moon"')),
      /time_zone/,
    ],
    [
      'a turn of no thread',
      rows((row) => row.replace('"thread_id":1', '"thread_id":7')),
      /do not fit/,
    ],
    [
      'a row twice',
      () =>
        withRows(archive, (all) =>
          all.flatMap((row) => (row.includes('"turn"') ? [row, row] : [row])),
        ),
      /do not fit/,
    ],
    ['no text that can be stored', rows((row) => row.replace('Noted', '\\u0000')), /text: .* NUL/],
    [
      'a thread of no channels',
      rows((row) => row.replace('"channels":["sms"]', '"channels":null')),
      /channels/,
    ],
    [
      'a call of no tool',
      rows((row) => row.replace('"tool_calls":null', '"tool_calls":[{"a":1}]')),
      /tool_calls\.0\.name/,
    ],
    [
      'a text that is too long',
      rows((row) => row.replace('Noted', 'n'.repeat(1_000_001))),
      /at most 1,000,000 characters/,
    ],
    ['many values', more(`[${'[],'.repeat(300_000)}0]`), /more than a row can/],
    ['many levels', more('['.repeat(300) + ']'.repeat(300)), /more than a row can/],
    [
      'a number after which none is left',
      rows((row) => row.replace(/"last_(turn|event)":\d+/, '"last_$1":2147483647')),
      /last_turn: /,
    ],
    [
      'sizes that do not fit in a number',
      rows((row) => row.replace(/"word_count":\d+/, '"word_count":2000000000')),
      /do not fit/,
    ],
    [
      'a key that is too long for an index',
      rows((row) => row.replace(/"active_key":"/, `$&${randomBytes(8_000).toString('hex')}`)),
      /do not fit/,
    ],
  ];
  it.each(cases)(
    'the import of %s is refused and changes nothing',
    async (_what, make, message) => {
      const { status, body } = await server.sendArchive('tampered', byKey, make());
      expect(body.errors?.[0]?.message).toMatch(message);
      expect(body.errors?.[0]?.message).not.toContain('owl');
      expect([status, body.errors?.[0]?.extensions.code]).toEqual([422, 'INVALID_ARCHIVE']);
      expect(await rowsOf('tampered')).toBe(0);
    },
  );

  it('a body of another content type, or one that is too large, is not read', async () => {
    const json = { 'content-type': 'application/json' };
    expect((await server.sendArchive('typed', byKey, archive, json)).status).toBe(415);
    await using small = await serveArchives(world, { maxArchiveBytes: 1_000 });
    const { status, body } = await small.sendArchive('large', byKey, archive);
    expect([status, body.errors?.[0]?.message]).toEqual([
      413,
      expect.stringContaining('MAX_ARCHIVE_BYTES'),
    ]);
  });
});
