import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { type Lock, shrinkwrapOf } from '../../tools/packed/shrinkwrap.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const read = async (name: string) => JSON.parse(await readFile(`${ROOT}${name}`, 'utf8'));
const HELD = ['@mnemograph/client', '@mnemograph/mcp'];

/** Packages that build, check and test, and must not be needed to run. */
const DEVELOPMENT =
  /node_modules\/(prisma|typescript|tsx|esbuild|vite|rolldown|react|vitest|playwright-core|eslint|@biomejs\/.*|@tsconfig\/.*|@prisma\/(dev|studio-core|engines)|ai|langchain|express|hono)$/;

it('what the package installs runs no script and holds no tool of development', async () => {
  const { packages } = shrinkwrapOf((await read('package-lock.json')) as Lock, HELD);
  const paths = Object.keys(packages);
  expect(paths.length).toBeGreaterThan(100);
  expect(paths.filter((path) => packages[path]?.hasInstallScript)).toEqual([]);
  expect(paths.filter((path) => DEVELOPMENT.test(path))).toEqual([]);
  expect(JSON.stringify(packages)).not.toContain('"resolved"');
  for (const name of ['graphql', 'pg', '@electric-sql/pglite', '@prisma/client', 'zod']) {
    expect(packages[`node_modules/${name}`]?.version).toMatch(/^\d/);
  }
  for (const name of HELD) expect(packages[`node_modules/${name}`]).toMatchObject({ inBundle: true });
});

it('a dependency that package-lock.json lacks is an error, and an optional one is not', () => {
  const lock = (dependencies: object): Lock => ({
    packages: { '': dependencies, 'node_modules/a': { version: '1.0.0' } },
  });
  expect(() => shrinkwrapOf(lock({ dependencies: { b: '1' } }), [])).toThrow('lacks b');
  const { packages } = shrinkwrapOf(lock({ optionalDependencies: { a: '1', b: '1' } }), []);
  expect(packages['node_modules/a']).toEqual({ version: '1.0.0', optional: true });
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
  expect(paths.filter((path) => /^dist\/embedded-image-\w+\.folders\.json$/.test(path))).toHaveLength(1);
  const foreign = /^(src|test|tools|scripts|\.ci|data|models)\/|^packages\/(?!console\/dist\/)|\.tsbuildinfo$/;
  expect(paths.filter((path) => foreign.test(path))).toEqual([]);
}, 60_000);
