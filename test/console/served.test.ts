import { readdir, readFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestServer, OPEN, type TestServer } from '../support/server.ts';

const DIST = new URL('../../packages/console/dist/', import.meta.url);
const MOST = 250_000;

let server: TestServer;
beforeAll(async () => {
  server = await createTestServer(OPEN);
});
afterAll(() => server[Symbol.asyncDispose]());

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${server.origin}${path}`, { redirect: 'manual', headers });

it('the first page leads to the console, by a relative address', async () => {
  for (const path of ['/', '/console']) {
    const { status, headers } = await get(path);
    expect([status, headers.get('location')]).toEqual([302, './console/']);
  }
});

it('the page is never stored, and its policy lets it run scripts and styles of this server only', async () => {
  for (const path of ['/console/', '/console/live', '/console/timeline?thread=x']) {
    const { status, headers } = await get(path);
    expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(headers.get('cache-control')).toBe('no-store');
    const policy = headers.get('content-security-policy');
    expect(policy).toContain("script-src 'self'; style-src 'self';");
    expect(policy).not.toContain('unsafe');
  }
});

it('hashed files are immutable and served as they were compressed when built', async () => {
  const names = await readdir(new URL('assets/', DIST));
  const script = names.find((name) => /^index-.*\.js$/.test(name)) as string;
  const text = await readFile(new URL(`assets/${script}`, DIST), 'utf8');
  for (const encoding of ['br', 'gzip', null]) {
    const accepted = { 'accept-encoding': encoding ?? 'identity' };
    const answer = await get(`/console/assets/${script}`, accepted);
    expect(answer.headers.get('content-encoding')).toBe(encoding);
    expect(answer.headers.get('cache-control')).toContain('immutable');
    expect(await answer.text()).toBe(text);
  }
  for (const path of ['/console/assets/other.js', '/console/../package.json', '/console/a/b']) {
    expect((await get(path)).status).toBe(404);
  }
});

it('the first script is at most 250 kB, gzipped', async () => {
  const page = await readFile(new URL('index.html', DIST), 'utf8');
  const scripts = [...page.matchAll(/(?:src|href)="\.\/(assets\/[^"]+\.js)"/g)];
  const texts = scripts.map(([, path = '']) => readFile(new URL(path, DIST)));
  const bytes = (await Promise.all(texts)).map((text) => gzipSync(text).length);
  expect(bytes.length).toBeGreaterThan(0);
  expect(bytes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(MOST);
});

it('the console can be switched off', async () => {
  await using other = await createTestServer({ ...OPEN, CONSOLE: 'false' });
  expect((await fetch(`${other.origin}/console/`)).status).toBe(404);
  const home = await fetch(other.origin, { redirect: 'manual' });
  expect(home.headers.get('location')).toBe('/graphql');
});
