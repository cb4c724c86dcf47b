import { readFile } from 'node:fs/promises';

const ROOT = new URL('../../', import.meta.url);
const DOCUMENTS = ['README.md', 'docs/client.md', 'packages/client/README.md'];

/** The TypeScript examples of the documents, which use the client. */
export async function clientExamples(): Promise<{ title: string; code: string }[]> {
  const found = await Promise.all(
    DOCUMENTS.map(async (name) => {
      const text = await readFile(new URL(name, ROOT), 'utf8');
      return [...text.matchAll(/```ts\n(.*?)```/gs)].map(([, code = ''], index) => ({
        title: `example ${index + 1} of ${name}`,
        code,
      }));
    }),
  );
  return found.flat();
}
