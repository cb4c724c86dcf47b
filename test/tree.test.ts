import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import ts from 'typescript';
import { expect, it } from 'vitest';
import { KINDS } from '../src/db/kinds/kinds.ts';
import { MEMORY_KINDS } from '../src/domain/core/memory-kind.ts';
import { REASONER_STEPS } from '../src/domain/core/reasoning.ts';
import { STEPS } from '../src/pipeline.ts';

const ROOT = new URL('../', import.meta.url).pathname;
const src = join(ROOT, 'src/');
const names = (await readdir(src, { recursive: true })).filter(
  (name) => name.endsWith('.ts') && !name.includes('generated'),
);
const files = await Promise.all(
  names.map(async (name) => ({ name, text: await readFile(join(src, name), 'utf8') })),
);

/** The files that match a pattern, except those whose names begin with one of `allowed`. */
const filesWith = (pattern: RegExp, ...allowed: string[]): string[] =>
  files
    .filter(
      ({ name, text }) => pattern.test(text) && !allowed.some((prefix) => name.startsWith(prefix)),
    )
    .map(({ name }) => name)
    .sort();

const textOf = (name: string): string => files.find((file) => file.name === name)?.text ?? '';

it('resolvers access a memory only through steps', () => {
  const schema = files.filter(({ name }) => name.startsWith('schema/'));
  const namesOf = (pattern: RegExp) =>
    schema.filter(({ text }) => pattern.test(text)).map(({ name }) => name);
  expect(namesOf(/\.(memory|deployment)\(/)).toEqual([]);
  // A field that is taken out of the context is as good as one that is read.
  expect(namesOf(/\{[^{}]*\b(memory|deployment)\b[^{}]*\} = (ctx|app|[\w.]+\.app)\b/)).toEqual([]);
  // Prisma reads for the graph as one user, whom the request context chooses.
  expect(namesOf(/\.db\b|\bdb\b[^'\n]*\}/)).toEqual(['schema/core/request-context.ts']);
});

it('only a unit of work appends events, stores jobs and publishes a commit', () => {
  expect(filesWith(/\bevents\.append\(|\bimport \{ append \}/, 'memory.ts')).toEqual([]);
  expect(filesWith(/publisher\.publish\((?!null)/, 'memory.ts')).toEqual([]);
  expect(filesWith(/INTO jobs\b/, 'db/operations/jobs.ts')).toEqual([]);
});

it('only a unit of work finds out that something was erased meanwhile', () => {
  expect(filesWith(/new ErasedMeanwhile\(/)).toEqual(['memory.ts']);
  const compared = /erase_epoch = \$|\bepoch (===|!==) /;
  // A failed job and the turns that are held in memory are of no unit of work.
  expect(filesWith(compared, 'memory.ts', 'db/operations/jobs.ts', 'db/search/')).toEqual([]);
});

it('names of steps appear only in the pipeline', () => {
  const steps = Object.values(STEPS).filter((step) => step.includes('-'));
  const literal = new RegExp(`step(: |\\b[^\\n]{0,12}= ?)'(${steps.join('|')})'`);
  // The steps of the reasoner have their own names, some of which are the same.
  expect(filesWith(literal, 'pipeline.ts', 'reasoner/', 'cli/')).toEqual([]);
});

it('each step of the reasoner is called by a step of the pipeline or by recall', () => {
  const methods = REASONER_STEPS.map((step) =>
    step === 'same-fact'
      ? 'isSameFact'
      : step.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase()),
  );
  const uncalled = methods.filter(
    (method) =>
      !files.some(
        ({ name, text }) =>
          /^(remember|recall)\//.test(name) && text.includes(`reasoner.${method}(`),
      ),
  );
  expect(methods).toContain('extractFacts');
  expect(uncalled).toEqual([]);
});

it('types are imported from where they are declared, not extracted with Parameters<Parameters<…>>', () => {
  expect(filesWith(/Parameters<Parameters</)).toEqual([]);
});

it('the context has at most 12 fields, each with at least three users', () => {
  const [, body = ''] = /\nexport type Context = \{\n(.*?)\n\};/s.exec(textOf('context.ts')) ?? [];
  const fields = [...body.matchAll(/^ {2}(\w+)\??:/gm)].map(([, field = '']) => field);
  const rare = fields.filter((field) => {
    const read = new RegExp(`\\b(ctx|app)\\s*\\.${field}\\b`);
    const taken = new RegExp(`\\{[^{}]*\\b${field}\\b[^{}]*\\}(: \\w*Context\\b| = (ctx|app)\\b)`);
    return filesWith(new RegExp(`${read.source}|${taken.source}`), 'app.ts').length < 3;
  });
  expect(fields.length).toBeGreaterThan(5);
  expect(fields.length).toBeLessThanOrEqual(12);
  expect(rare).toEqual([]);
});

it('what is done with all kinds of memories names the tables of none', () => {
  const tables = KINDS.flatMap(({ archive, embed }) => [
    ...archive.rows.map(({ table }) => table),
    embed.table,
  ]);
  expect(tables).toContain('turns');
  const named = filesWith(
    new RegExp(`\\b(FROM|INTO|JOIN|UPDATE|table:) '?(${tables.join('|')})\\b`),
  );
  expect(named).toContain('db/kinds/facts/archive.ts');
  const general =
    /^(db\/(archive\/|forget\/|operations\/backlog|search\/search-memories|vectors\/(derived-vectors|vector-index))|domain\/archive\/|remember\/vectors\/)/;
  expect(named.filter((name) => general.test(name))).toEqual([]);
});

it('every kind of memory is in the list once, behind those that its rows refer to, with every part', () => {
  expect(KINDS.map(({ name }) => name).sort()).toEqual([...MEMORY_KINDS].sort());
  const folders = names.flatMap((name) => /^db\/kinds\/([\w-]+)\/\1\.ts$/.exec(name)?.[1] ?? []);
  expect(folders).toHaveLength(KINDS.length);
  for (const folder of folders) {
    const main = textOf(`db/kinds/${folder}/${folder}.ts`);
    for (const part of ['archive', 'embed', 'erase']) expect(main).toContain(`'./${part}.ts'`);
  }
  for (const { name, rows, search, erase, archive } of KINDS) {
    expect(archive.rows.length, name).toBeGreaterThan(0);
    expect(Object.keys(erase).length, name).toBeGreaterThan(0);
    expect([rows === null, search === null], name).toEqual([name === 'TURN', name === 'TURN']);
  }
  const reference = (kind: string) => KINDS.findIndex(({ name }) => name === kind);
  expect(reference('SEMANTIC_MEMORY')).toBeLessThan(reference('EPISODE'));
  expect(reference('EPISODE')).toBeLessThan(reference('SKILL'));
});

it('of the library that reads dates only the English rules are loaded', () => {
  expect(filesWith(/^import (?!type\b).* from 'chrono-node(?!\/en')/m)).toEqual([]);
  expect(filesWith(/^import .* from 'chrono-node\/en'/m)).toContain(
    'language/en/time/time-dates.ts',
  );
});

/** The paths of the code, its tools and tests, except what is generated. */
async function codePaths(endings = /\.tsx?$/): Promise<string[]> {
  const packages = (await readdir(join(ROOT, 'packages'))).map((name) => `packages/${name}/src`);
  const rooms = ['src', ...packages, 'tools', 'test', 'examples', 'scripts', 'prisma', '.ci'];
  const folders = rooms.map(async (folder) => {
    const names = await readdir(join(ROOT, folder), { recursive: true });
    return names.map((name) => `${folder}/${name}`);
  });
  const paths = [...(await Promise.all(folders)).flat(), ...(await readdir(ROOT))];
  return paths.filter(
    (path) => endings.test(path) && !/generated|node_modules|\/dist\//.test(path),
  );
}

it('no folder contains more than 25 files', async () => {
  const sizes = new Map<string, number>();
  for (const path of await codePaths()) {
    sizes.set(dirname(path), (sizes.get(dirname(path)) ?? 0) + 1);
  }
  expect([...sizes].filter(([, size]) => size > 25)).toEqual([]);
});

it('no line of the code has more than 160 characters', async () => {
  const found: string[] = [];
  const all = /\.(?:tsx?|mjs|css|html|sql|prisma|sh|ya?ml)$|^Dockerfile$|^\.ci\/run$/;
  for (const path of await codePaths(all)) {
    const lines = (await readFile(join(ROOT, path), 'utf8')).split('\n');
    const long = lines.flatMap((line, index) => (line.length > 160 ? [index + 1] : []));
    found.push(...long.map((number) => `${path}:${number}`));
  }
  expect(found).toEqual([]);
});

it('tests replace dependencies and settings with world.with and world.configured, and assign none', async () => {
  const assigned =
    /Object\.assign\((?:\w+\.)*ctx\b|(?<!typeof )\b(?:ctx|config|db|logger|embedder|reasoner|indexer|publisher)(?:\.\w+)+ = /;
  const found: string[] = [];
  for (const path of await codePaths(/^test\/.*\.test\.ts$/)) {
    if (assigned.test(await readFile(join(ROOT, path), 'utf8'))) found.push(path);
  }
  expect(found).toEqual([]);
});

it('the graph is built with fewer than five type assertions', () => {
  let casts = 0;
  for (const { name, text } of files.filter(({ name }) => name.startsWith('schema/'))) {
    const visit = (node: ts.Node): void => {
      if (ts.isAsExpression(node) && !ts.isConstTypeReference(node.type)) casts += 1;
      ts.forEachChild(node, visit);
    };
    visit(ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true));
  }
  expect(casts).toBeLessThan(5);
});

/** The parts of a regular expression that are no words: escapes, classes, counts, names of groups, flags. */
const NO_WORDS = /\\[pPu]\{[^}]*\}|\\u[0-9a-f]{4}|\\.|\[[^\]]*\]|\{[\d,]*\}|\(\?<\w+>|\/[a-z]*$/g;

/** Whether a node is part of a list of words: split, made into terms or put into a set. */
function isList(node: ts.Node): boolean {
  const { parent } = node;
  if (ts.isBinaryExpression(parent) || ts.isArrayLiteralExpression(parent)) return isList(parent);
  if (ts.isPropertyAccessExpression(parent)) return parent.name.text === 'split';
  const isCall = ts.isCallExpression(parent) || ts.isNewExpression(parent);
  return isCall && /^(?:termsOf|Set)$/.test(parent.expression.getText());
}

/** Lists of words in a file, and regular expressions that look for several; one word may be a key such as "person:". */
function vocabularyIn({ name, text }: { name: string; text: string }): string[] {
  const found: string[] = [];
  const read = (node: ts.Node): void => {
    const isPattern = ts.isRegularExpressionLiteral(node) || ts.isTaggedTemplateExpression(node);
    const isWords = ts.isStringLiteralLike(node) && /^[a-z'\s]+$/.test(node.text) && isList(node);
    const words = isPattern || isWords ? node.getText().replace(NO_WORDS, ' ') : '';
    if ((words.match(/[a-z']{2,}/g) ?? []).length > 1) found.push(`${name}: ${words.slice(0, 60)}`);
    ts.forEachChild(node, read);
  };
  read(ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true));
  return found;
}

it('the domain holds no vocabulary: words of a language are in language/', () => {
  const domain = files.filter(({ name }) => name.startsWith('domain/'));
  expect(domain.flatMap(vocabularyIn)).toEqual([]);
});
