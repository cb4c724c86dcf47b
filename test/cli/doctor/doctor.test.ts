import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { examine } from '../../../src/cli/doctor/examine.ts';
import type { Finding } from '../../../src/cli/doctor/finding.ts';
import { freePort } from '../../../tools/support/free-port.ts';
import { startServerProcess } from '../../../tools/support/server-process.ts';
import { runCommand } from '../../support/command.ts';
import { keyFor } from '../../support/keys.ts';
import { createTestServer, OPEN, type TestServer } from '../../support/server.ts';

let server: TestServer;
let folder: string;
beforeAll(async () => {
  server = await createTestServer(OPEN);
  folder = await mkdtemp(join(tmpdir(), 'mnemograph-doctor-'));
});
afterAll(async () => {
  await rm(folder, { recursive: true });
  await server[Symbol.asyncDispose]();
});

const https: Server[] = [];
afterEach(() => {
  server.world.restore();
  for (const http of https.splice(0)) {
    http.closeAllConnections();
    http.close();
  }
});

/** Serves on a port of its own. @returns the address */
async function listen(handle: RequestListener, host = '127.0.0.1'): Promise<string> {
  const http = createServer(handle);
  https.push(http);
  await new Promise<void>((resolve) => http.listen(0, host, resolve));
  return `http://${host}:${(http.address() as AddressInfo).port}`;
}

/** Runs the compiled command with these variables only. */
const doctor = (env: Record<string, string>, ...args: string[]) => runCommand('doctor', args, env);

/** The findings that are not ok. */
async function troubles(env: Record<string, string>, named?: string) {
  const address = { url: named ?? 'http://127.0.0.1:9', isNamed: named !== undefined };
  const findings = await examine({ ...address, apiKey: env.MNEMOGRAPH_API_KEY }, env);
  const told = findings.filter(({ level }) => level !== 'ok');
  for (const { advice } of told) expect(advice).toBeTruthy();
  return told.map(({ about, level, message }) => `${level} ${about}: ${message}`);
}

/** Settings of a server that is not there, in a folder that is not there yet. */
const nowhere = async () => ({
  DATA_DIR: join(folder, 'new', 'data'),
  PORT: String(await freePort()),
});

it('before the first start the doctor has nothing to complain of, and creates nothing', async () => {
  const env = await nowhere();
  // Empty variables are not set.
  const { code, out, problems } = await doctor({ ...env, MNEMOGRAPH_URL: '', JWT_SECRET: '' });
  expect([code, problems]).toEqual([0, '']);
  const lines = out.trimEnd().split('\n');
  expect(lines.length).toBeGreaterThan(4);
  for (const line of lines) expect(line).toMatch(/^ok {5} {2}[\w. ]+: .*\.$/);
  expect(out).toContain(`${env.DATA_DIR} does not exist yet and will be created`);
  expect(out).toContain(`the address http://127.0.0.1:${env.PORT}`);
  expect(await readdir(folder)).toEqual([]);
}, 60_000);

it('wrong settings are problems with what to do, and exit code 1', async () => {
  const { code, out } = await doctor({ ...(await nowhere()), WORKERS: 'many', JWT_ISUER: 'x' });
  expect(code).toBe(1);
  expect(out).toMatch(/^problem {2}settings: WORKERS: .*→ change or remove it/m);
  expect(out).toMatch(/^warning {2}settings: JWT_ISUER is not a setting\. → set JWT_ISSUER/m);
  const json = await doctor({ ...(await nowhere()), PORT: 'x' }, '--json');
  const { healthy, findings } = JSON.parse(json.out) as { healthy: boolean; findings: Finding[] };
  expect([json.code, healthy, findings.some(({ level }) => level === 'problem')]).toEqual([
    1,
    false,
    true,
  ]);
}, 60_000);

it('a running server is seen with its folder, its process and its key, and stays as it is', async () => {
  const dataDir = join(folder, 'running');
  await using running = await startServerProcess({ dataDir, env: { EMBEDDER: 'none' } });
  const env = {
    DATA_DIR: dataDir,
    PORT: new URL(running.url).port,
    EMBEDDER: 'none',
    MNEMOGRAPH_API_KEY: running.apiKey,
  };
  const { code, out } = await doctor(env);
  expect(out.split('\n').filter((line) => !line.startsWith('ok'))).toEqual(['']);
  expect(code).toBe(0);
  expect(out).toContain(`in use by process ${running.pid}`);
  expect(out).toContain('its schema is that of this version');
  expect(out).toContain('it is ready');
  expect(out).toContain('it accepts the key "command", which acts for all users with access ALL');

  const { MNEMOGRAPH_API_KEY: _, ...without } = env;
  expect(await troubles(without)).toEqual([
    expect.stringMatching(/^warning server: it does not let the doctor in without a key/),
  ]);
  expect(await troubles({ ...env, MNEMOGRAPH_API_KEY: 'wrong' })).toEqual([
    expect.stringMatching(/^problem server: it does not accept the key/),
  ]);
  await running.memory.as('ada').remember('Still here.', { channel: 'sms' });
}, 120_000);

it('a folder that is none, one of a newer version, and a full disk are problems', async () => {
  const file = join(folder, 'file');
  await writeFile(file, '');
  const port = { PORT: String(await freePort()) };
  expect(await troubles({ ...port, DATA_DIR: file })).toEqual([
    `problem data folder: ${file} is not a folder`,
  ]);
  const newer = join(folder, 'newer');
  await mkdir(newer);
  const schema = { version: '9.0.0', migration: '29990101000000_later' };
  await writeFile(join(newer, 'schema.json'), JSON.stringify(schema));
  expect(await troubles({ ...port, DATA_DIR: newer })).toEqual([
    expect.stringMatching(/^problem data folder: it was used by the newer version 9\.0\.0/),
  ]);
  const full = { ...port, DATA_DIR: folder, DISK_RESERVE_MB: '1000000' };
  expect(await troubles(full)).toEqual([
    expect.stringMatching(/^problem data folder: \d+ MB are free, and 1000000 MB/),
  ]);
  expect(await troubles({ ...port, DATA_DIR: 'memory' })).toEqual([
    'warning data folder: DATA_DIR is "memory"',
  ]);
}, 120_000);

it('a PostgreSQL server that cannot be reached is a problem', async () => {
  const env = {
    DATABASE_URL: 'postgresql://ada:secret@127.0.0.1:9/memory',
    PORT: String(await freePort()),
  };
  const told = await troubles(env);
  expect(told).toEqual([expect.stringMatching(/^problem PostgreSQL: it cannot be reached/)]);
  expect(told.join()).not.toContain('secret');
}, 60_000);

it('another program at the port, and a named server that is away, are problems', async () => {
  const other = await listen((_request, response) => response.end('hello'));
  const env = { ...(await nowhere()), PORT: new URL(other).port };
  expect(await troubles(env)).toEqual([
    expect.stringMatching(/^problem server: something other than Mnemograph answers/),
  ]);
  expect(await troubles(await nowhere(), 'http://127.0.0.1:9')).toEqual([
    expect.stringMatching(/^problem server: nothing answers at http:\/\/127\.0\.0\.1:9/),
  ]);
}, 60_000);

it('models behind a server are looked for without a token spent', async () => {
  const asked: string[] = [];
  const models = await listen((request, response) => {
    asked.push(`${request.method} ${request.url} ${request.headers.authorization}`);
    const isKnown = request.headers.authorization === 'Bearer right';
    response.writeHead(isKnown ? 200 : 401, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ data: [{ id: 'small' }] }));
  });
  const env = {
    ...(await nowhere()),
    REASONER: 'openai',
    REASONER_MODEL: 'small',
    OPENAI_BASE_URL: `${models}/v1`,
    OPENAI_API_KEY: 'right',
  };
  expect(await troubles(env)).toEqual([]);
  expect(asked).toEqual(['GET /v1/models Bearer right']);
  expect(await troubles({ ...env, REASONER_STEPS: 'compact=large' })).toEqual([
    `warning models: ${models}/v1 does not list large`,
  ]);
  expect(await troubles({ ...env, OPENAI_API_KEY: 'wrong' })).toEqual([
    `problem models: ${models}/v1 does not accept the key`,
  ]);
  expect(await troubles({ ...env, OPENAI_BASE_URL: 'http://127.0.0.1:9/v1' })).toEqual([
    expect.stringMatching(/^problem models: http:\/\/127\.0\.0\.1:9\/v1 cannot be reached/),
  ]);
  const local = { EMBEDDER: 'local', EMBEDDING_MODEL: 'some/model', LOCAL_PACKAGES: folder };
  expect(await troubles({ ...(await nowhere()), ...local })).toEqual([
    'problem models: EMBEDDER=local needs @huggingface/transformers',
  ]);
}, 120_000);

it('dead jobs, and a server that is not ready, are problems', async () => {
  const { ctx } = server.world;
  expect(await troubles(await nowhere(), server.origin)).toEqual([]);
  await server.post({
    query: 'mutation { remember(input: {turns: [{text: "Hi."}]}) { __typename } }',
  });
  await ctx.db.pool.query('UPDATE jobs SET dead_at = now()');
  server.world.with({ disk: { isLow: () => true, freeBytes: () => 0, reserveBytes: 1 } as never });
  const told = await troubles(await nowhere(), server.origin);
  expect(told).toEqual([
    expect.stringMatching(/^problem server: it is not ready: Nothing can be written/),
    expect.stringMatching(/^problem jobs: \d+ (is|are) dead, after five attempts/),
  ]);
}, 60_000);

it('a server that is open behind a proxy is a problem', async (context) => {
  const addresses = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
  const outside = addresses.find(({ internal, family }) => !internal && family === 'IPv4');
  if (!outside) return context.skip('this machine has no address but its own');
  const proxy = await listen(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    // As a proxy that passes its own name on, and not the client's.
    const answer = await fetch(`${server.origin}${request.url}`, {
      method: request.method ?? 'GET',
      headers: { 'content-type': 'application/json' },
      ...(request.method === 'POST' ? { body: Buffer.concat(chunks) } : {}),
    });
    response.writeHead(answer.status, { 'content-type': 'application/json' });
    response.end(await answer.text());
  }, outside.address);
  expect(await troubles(await nowhere(), proxy)).toEqual([
    `problem server: it is open to everybody who reaches ${proxy}`,
  ]);
}, 60_000);

it('a key that may only read is told as such', async () => {
  await using closed = await createTestServer();
  const { secret } = await keyFor(closed, 'ada', 'READ');
  const { code, out } = await doctor(await nowhere(), '--url', closed.origin, '--api-key', secret);
  expect(code).toBe(0);
  expect(out).toContain('which acts for the user "ada" with access READ');
}, 60_000);

it('the doctor refuses a user: it looks into no memory', async () => {
  const { code, problems } = await doctor({}, '--user', 'ada');
  expect(code).toBe(1);
  expect(problems).toContain("unknown option '--user'");
});
