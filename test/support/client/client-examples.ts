import { readFile } from 'node:fs/promises';

const ROOT = new URL('../../../', import.meta.url);
const CLIENT = ['README.md', 'docs/client.md', 'packages/client/README.md'];
const ADAPTERS = ['README.md', 'docs/adapters.md', 'packages/adapters/README.md'];

/** A TypeScript example of a document. */
type Example = { title: string; code: string };

/** The examples that use the client only. */
export const clientExamples = (): Promise<Example[]> =>
  examplesIn(CLIENT, (code) => !code.includes('@mnemograph/adapters'));

/** The examples that use an adapter. */
export const adapterExamples = (): Promise<Example[]> =>
  examplesIn(ADAPTERS, (code) => code.includes('@mnemograph/adapters'));

async function examplesIn(
  documents: readonly string[],
  isWanted: (code: string) => boolean,
): Promise<Example[]> {
  const found = await Promise.all(
    documents.map(async (name) => {
      const text = await readFile(new URL(name, ROOT), 'utf8');
      return [...text.matchAll(/```ts\n(.*?)```/gs)].map(([, code = ''], index) => ({
        title: `example ${index + 1} of ${name}`,
        code,
      }));
    }),
  );
  return found.flat().filter(({ code }) => isWanted(code));
}
