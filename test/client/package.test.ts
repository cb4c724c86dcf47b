import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { clientExamples } from '../support/client/client-examples.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const CLIENT = join(ROOT, 'packages/client');
const run = promisify(execFile);
const MOST = 10_000;

/** An empty project in which the packed client is installed. */
let project: string;
beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), 'mnemograph-project-'));
  await writeFile(join(project, 'package.json'), '{ "private": true }');
  // What the client depends on comes from here, so that nothing is downloaded.
  const packed = [CLIENT, join(ROOT, 'node_modules/eventsource-parser')].map((folder) =>
    run('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', project, folder]),
  );
  const files = (await Promise.all(packed)).map(({ stdout }) => `./${stdout.trim()}`);
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', ...files], { cwd: project });
}, 60_000);
afterAll(() => rm(project, { recursive: true, force: true }));

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

const CALL = `
const memory = createMemory({ url: process.argv[2], token: 'secret' });
memory.recall('What colour?').then(({ markdown }) => console.log(markdown));
`;

it.each([
  ['import', 'main.mjs', `import { createMemory } from '@mnemograph/client';${CALL}`],
  ['require', 'main.cjs', `const { createMemory } = require('@mnemograph/client');${CALL}`],
])(
  'the client runs in an empty project by %s, and looks at no environment variable',
  async (_how, file, text) => {
    await writeFile(join(project, file), text);
    const answer = {
      data: { recall: { __typename: 'RecallPayload', markdown: 'Blue.', hits: [] } },
    };
    const http = createServer((_request, response) => response.end(JSON.stringify(answer)));
    await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
    try {
      const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
      const { stdout } = await run(process.execPath, [file, url], { cwd: project, env: {} });
      expect(stdout).toBe('Blue.\n');
    } finally {
      http.closeAllConnections();
      http.close();
    }
  },
);

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
