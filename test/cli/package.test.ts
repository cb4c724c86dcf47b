import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { installedBy, type Lock } from '../../tools/packed/installed-by.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const read = async (name: string) => JSON.parse(await readFile(`${ROOT}${name}`, 'utf8'));
const HELD = ['@mnemograph/client', '@mnemograph/mcp'];

/** Packages that build, check and test, and must not be needed to run. */
const DEVELOPMENT = new RegExp(
  'node_modules/(prisma|typescript|tsx|esbuild|vite|rolldown|react|vitest|playwright-core|eslint|@biomejs/.*|' +
    '@tsconfig/.*|@prisma/(dev|studio-core|engines)|ai|langchain|express|hono)$',
);

it('what the package installs runs no script and holds no tool of development', async () => {
  const packages = installedBy((await read('package-lock.json')) as Lock);
  const paths = Object.keys(packages);
  expect(paths.length).toBeGreaterThan(100);
  expect(paths.filter((path) => packages[path]?.hasInstallScript)).toEqual([]);
  expect(paths.filter((path) => DEVELOPMENT.test(path))).toEqual([]);
  for (const name of ['graphql', 'pg', '@electric-sql/pglite', '@prisma/client', ...HELD]) {
    expect(packages[`node_modules/${name}`]?.version).toMatch(/^\d/);
  }
  const { bundleDependencies } = await read('package.json');
  expect(bundleDependencies).toEqual(HELD);
});

it('what the image installs is the same on every processor and runs no script', async () => {
  type Entry = Lock['packages'][string] & {
    cpu?: string[];
    os?: string[];
    dev?: boolean;
    optional?: boolean;
    devOptional?: boolean;
  };
  const lock: { packages: Record<string, Entry> } = await read('package-lock.json');
  // As "npm prune --omit=dev --omit=optional" leaves them (Dockerfile).
  const isKept = ({ dev, optional, devOptional }: Entry) => !dev && !optional && !devOptional;
  const kept = Object.entries(lock.packages).filter(([, entry]) => isKept(entry));
  const paths = kept.map(([path]) => path);
  const own = paths.filter((path) => !path.includes('node_modules'));
  expect(own.sort()).toEqual([
    '',
    'packages/adapters',
    'packages/client',
    'packages/console',
    'packages/mcp',
  ]);
  expect(paths).toEqual(expect.arrayContaining(Object.keys(installedBy(lock))));
  const isBound = ({ cpu, os, hasInstallScript }: Entry) => cpu || os || hasInstallScript;
  expect(kept.filter(([, entry]) => isBound(entry)).map(([path]) => path)).toEqual([]);
});

it('a needed package that package-lock.json lacks is an error, and an optional one is not', () => {
  const lock = (root: object): Lock => ({
    packages: {
      '': root,
      'node_modules/a': { version: '1.0.0', dependencies: { c: '2' } },
      'node_modules/a/node_modules/c': { version: '2.0.0' },
      'node_modules/c': { version: '1.0.0' },
    },
  });
  expect(() => installedBy(lock({ dependencies: { b: '1' } }))).toThrow('lacks b');
  expect(installedBy(lock({ optionalDependencies: { b: '1' } }))).toEqual({});
  expect(Object.keys(installedBy(lock({ dependencies: { a: '1' } })))).toEqual([
    'node_modules/a',
    'node_modules/a/node_modules/c',
  ]);
});

it('the package holds the server, its console and its migrations, and neither sources nor tests', async () => {
  const args = ['pack', '--dry-run', '--json', '--ignore-scripts'];
  const { stdout } = await promisify(execFile)('npm', args, { cwd: ROOT, maxBuffer: 50_000_000 });
  // npm 11 and earlier print a list, later ones an object by name.
  const [packed] = Object.values(JSON.parse(stdout)) as { files: { path: string }[] }[];
  const paths = packed?.files.map(({ path }) => path) ?? [];
  for (const needed of [
    'package.json',
    'LICENSE',
    'README.md',
    'schema.graphql',
    'dist/main.js',
    'dist/cli/mnemograph.js',
    'dist/cli/hook.js',
    'packages/console/dist/index.html',
    'examples/sample-conversation.json',
    'node_modules/@mnemograph/client/dist/index.js',
    'node_modules/@mnemograph/mcp/dist/index.js',
  ]) {
    expect(paths).toContain(needed);
  }
  expect(paths.filter((path) => /^prisma\/migrations\/.*\.sql$/.test(path))).not.toEqual([]);
  const images = paths.filter((path) => /^dist\/embedded-image-\w+\.\w/.test(path));
  expect(images.map((path) => path.replace(/.*?\./, '')).sort()).toEqual([
    'folders.json',
    'tar.gz',
  ]);
  const foreign =
    /^(src|test|tools|scripts|\.ci|data|models)\/|^packages\/(?!console\/dist\/)|\.tsbuildinfo$/;
  expect(paths.filter((path) => foreign.test(path))).toEqual([]);
}, 120_000);
