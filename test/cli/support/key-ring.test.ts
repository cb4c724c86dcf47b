import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createApp } from '../../../src/app.ts';
import { openKeyRing } from '../../../src/cli/support/key-ring.ts';
import { loadConfig } from '../../../src/config/config.ts';
import { startServer } from '../../../src/http/server.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mnemograph-keys-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const settings = (port: number) =>
  loadConfig({ DATA_DIR: folder, PORT: String(port), EMBEDDER: 'none', LOG_LEVEL: 'silent' });

it('keys are managed through the server that has locked the folder, with an API key once there is one', async () => {
  await using ctx = await createApp(settings(0));
  await using server = await startServer(ctx);
  const config = settings(Number(new URL(server.url).port));

  await using open = await openKeyRing(config, null);
  expect(open.server).toContain(`:${config.server.port}/graphql`);
  const { key, secret } = await open.create('billing bot');
  expect(key).toMatchObject({ name: 'billing bot', revokedAt: null });

  // The server may accept requests without credentials for a second more.
  await expect
    .poll(() => open.list().catch((error: Error) => error.message))
    .toMatch(/requires credentials\. Set MNEMOGRAPH_API_KEY/);
  await using wrong = await openKeyRing(config, 'mnemo_wrong');
  await expect(wrong.list()).rejects.toThrow('does not accept the key of MNEMOGRAPH_API_KEY');

  await using keys = await openKeyRing(config, secret);
  expect(await keys.list()).toEqual([{ ...key, lastUsedAt: expect.any(Date) }]);
  await expect(keys.create(' ')).rejects.toThrow('name');
  await expect(keys.revoke('nonsense')).rejects.toThrow('There is no API key "nonsense".');
});

it('when no server answers, the error names the process that has locked the folder', async () => {
  await using _ctx = await createApp(settings(0));
  await using keys = await openKeyRing(settings(1), null);
  await expect(keys.list()).rejects.toThrow(
    `by process ${process.pid}, but no server answers at http://127.0.0.1:1/graphql`,
  );
});

it('keys are managed in the database itself when no process has locked the folder', async () => {
  await using keys = await openKeyRing(settings(0), null);
  expect(keys.server).toBeNull();
  const [billing] = await keys.list();
  const { revokedAt } = await keys.revoke(billing?.id ?? '');
  expect(revokedAt).toBeInstanceOf(Date);
  expect(await keys.list()).toEqual([{ ...billing, revokedAt }]);
});

it('keys cannot be managed in a database that is in memory only', async () => {
  const config = loadConfig({ DATA_DIR: 'memory' });
  await expect(openKeyRing(config, null)).rejects.toThrow('would be lost at once');
});
