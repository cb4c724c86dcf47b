import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { build, type Rolldown } from 'vite';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { clientExamples } from '../support/client/client-examples.ts';
import { createProject } from '../support/client/packed-client.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const run = promisify(execFile);
const MOST = 10_000;

let packed: Awaited<ReturnType<typeof createProject>>;
/** The folder of an empty project in which the packed client is installed. */
let project: string;
beforeAll(async () => {
  packed = await createProject();
  project = packed.folder;
}, 60_000);
afterAll(() => packed[Symbol.asyncDispose]());

it('the client is at most 10 kB, gzipped, and its parser a quarter of that', async () => {
  const modules = join(project, 'node_modules');
  const client = join(modules, '@mnemograph/client/dist');
  // The WebSocket is an entry of its own.
  const isMain = (file: string) => file.endsWith('.js') && file !== 'ws.js';
  const files = (await readdir(client)).filter(isMain);
  const own = await Promise.all(files.map((file) => readFile(join(client, file), 'utf8')));
  const parser = await readFile(join(modules, 'eventsource-parser/dist/index.js'), 'utf8');
  const bytes = gzipSync(own.join(''), { level: 9 }).length;
  expect(bytes).toBeGreaterThan(1_000);
  expect(bytes).toBeLessThanOrEqual(MOST);
  expect(gzipSync(parser, { level: 9 }).length).toBeLessThanOrEqual(MOST / 4);
});

it('an application bundles all of the client and its parser into at most 10 kB, minified and gzipped', async () => {
  const entry = join(project, 'app.js');
  await writeFile(entry, `import * as client from '@mnemograph/client'; window.client = client;`);
  const options = { write: false, modulePreload: false, rolldownOptions: { input: entry } };
  const built = await build({
    root: project,
    configFile: false,
    logLevel: 'silent',
    build: options,
  });
  const { output } = built as Rolldown.RolldownOutput;
  expect(output).toHaveLength(1);
  const { code } = output[0];
  expect(code).toContain('text/event-stream');
  expect(code).not.toContain('mnemograph/client');
  const bytes = gzipSync(code, { level: 9 }).length;
  expect(bytes).toBeGreaterThan(4_000);
  expect(bytes).toBeLessThanOrEqual(MOST);
});

it('the package of the client brings one dependency, its types and nothing else', async () => {
  const installed = (await readdir(join(project, 'node_modules'))).filter(
    (name) => name[0] !== '.',
  );
  expect(installed.sort()).toEqual(['@mnemograph', 'eventsource-parser']);
  const files = await readdir(join(project, 'node_modules/@mnemograph/client'), {
    recursive: true,
  });
  const others = files.filter((file) => !/^dist|^package\.json$|^README\.md$/.test(file));
  expect(others).toEqual([]);
  const dist = files.filter((file) => /\.\w+$/.test(file) && file.startsWith('dist'));
  expect(dist.filter((file) => !/\.(js|d\.ts)$/.test(file))).toEqual([]);
});

it.each([
  ['the types of Node.js', { types: ['node'], lib: ['es2023'] }],
  ['the types of a browser', { types: [], lib: ['es2022', 'dom', 'dom.iterable'] }],
])('the examples of the documents are correct by %s', { timeout: 60_000 }, async (_name, own) => {
  const folder = join(project, 'examples');
  await mkdir(folder, { recursive: true });
  for (const [index, { code }] of (await clientExamples()).entries()) {
    await writeFile(join(folder, `example-${index}.ts`), `${code}\nexport {};\n`);
  }
  const compilerOptions = {
    strict: true,
    noEmit: true,
    skipDefaultLibCheck: true,
    module: 'nodenext',
    target: 'es2022',
    typeRoots: [join(ROOT, 'node_modules/@types')],
    ...own,
  };
  await writeFile(join(project, 'package.json'), '{ "private": true, "type": "module" }');
  await writeFile(
    join(project, 'tsconfig.json'),
    JSON.stringify({ compilerOptions, include: ['examples'] }),
  );
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
  const { stdout } = await run(process.execPath, [tsc], { cwd: project }).catch((error) => error);
  expect(stdout).toBe('');
});
