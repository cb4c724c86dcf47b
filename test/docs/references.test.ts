import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const PLACES = [
  'src',
  'packages/client/src',
  'packages/mcp/src',
  'test',
  'tools',
  'docs',
  'prisma',
];
const FILES = ['README.md', 'CONTRIBUTING.md', 'schema.graphql'];
const TEXT = /\.(ts|mjs|md|sql|prisma|graphql)$/;

const files = PLACES.flatMap((place) =>
  readdirSync(place, { recursive: true, encoding: 'utf8' }).map((file) => join(place, file)),
)
  .filter((file) => TEXT.test(file) && !file.includes('generated'))
  .concat(FILES);

/** Each place where a text matches, as FILE:LINE. */
function found(pattern: RegExp): { place: string; match: string }[] {
  return files.flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .flatMap((line, index) =>
        [...line.matchAll(pattern)].map((match) => ({
          place: `${file}:${index + 1}`,
          match: match[1] ?? match[0],
        })),
      ),
  );
}

it('no file refers to a document that is not in the repository', () => {
  expect(found(/\bseeds? \d|system\.md|redesign\.md/gi)).toEqual([]);
});

it('every file and folder that a document names exists', () => {
  const inDocument = ({ place }: { place: string }) => place.includes('.md:');
  const named = found(/`((?:src|test|tools|prisma|scripts|docs)\/[\w./-]+)`/g).filter(inDocument);
  expect(named.length).toBeGreaterThan(100);
  expect(named.filter(({ match }) => !existsSync(match))).toEqual([]);
});

it('every requirement that is referred to exists', () => {
  const text = readFileSync('docs/requirements.md', 'utf8');
  const numbers = new Set([
    ...[...text.matchAll(/^- \*\*(\d+\.\d+)\*\*/gm)].map((match) => match[1]),
    ...[...text.matchAll(/^## (\d+)\./gm)].map((match) => match[1]),
  ]);
  const references = found(/requirements (\d+(?:\.\d+)?)/g);
  expect(references.length).toBeGreaterThan(0);
  expect(references.filter(({ match }) => !numbers.has(match))).toEqual([]);
});
