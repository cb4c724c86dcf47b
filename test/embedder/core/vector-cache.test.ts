import { expect, it } from 'vitest';
import { asStored } from '../../../src/domain/core/vector.ts';
import { createVectorCache, throughCache } from '../../../src/embedder/core/vector-cache.ts';

/** Two numbers from the text's length, more exact than the database keeps them. */
const vectorFor = (text: string) => Float32Array.of(1 / (text.length + 2), 1 / 3);

/** A source that notes which texts it embeds and which stored vectors it is asked for. */
function notingSource(storedAt: readonly number[] = []) {
  const embedded: string[] = [];
  const looked: number[] = [];
  const stored = async (places: readonly number[]) => {
    looked.push(...places);
    return places.map((place) => (storedAt.includes(place) ? Float32Array.of(place, 1) : null));
  };
  return {
    embedded,
    looked,
    options: { priority: 'batch' as const, stored },
    embed: async (
      missing: readonly string[],
      keep: (text: string, vector: Float32Array) => void,
    ) => {
      embedded.push(...missing);
      for (const text of missing) keep(text, vectorFor(text));
    },
  };
}

it('each text is embedded once, whether it stands twice in a call or comes again', async () => {
  const cache = createVectorCache(10);
  const source = notingSource();
  const first = await throughCache(cache, ['one', 'three', 'one'], source);
  const second = await throughCache(cache, ['three', 'seven'], source);
  expect(source.embedded).toEqual(['one', 'three', 'seven']);
  expect(first[2]).toEqual(first[0]);
  expect(second[0]).toEqual(first[1]);
});

it('stored vectors are looked up for the texts that are not cached, and then not embedded', async () => {
  const cache = createVectorCache(10);
  const source = notingSource([1, 2]);
  await throughCache(cache, ['one'], notingSource());
  const found = await throughCache(cache, ['one', 'three', 'seven', 'three', 'new'], source);
  expect(source.looked).toEqual([1, 2, 4]);
  expect(source.embedded).toEqual(['new']);
  expect(found.slice(1, 4)).toEqual(
    [
      [1, 1],
      [2, 1],
      [1, 1],
    ].map((own) => Float32Array.from(own)),
  );
  source.looked.length = 0;
  await throughCache(cache, ['seven', 'three'], source);
  expect(source.looked).toEqual([]);
});

it('the vector of a document has the precision of a stored one, that of a question its own', async () => {
  const cache = createVectorCache(10);
  const { embed, options } = notingSource();
  const [document] = await throughCache(cache, ['one'], { embed, options });
  const [question] = await throughCache(cache, ['one'], { embed, options: { priority: 'query' } });
  expect(document).toEqual(asStored(vectorFor('one')));
  expect(question).toEqual(vectorFor('one'));
  expect(document).not.toEqual(question);
});
