import { expect, it } from 'vitest';
import { asStored } from '../../../src/domain/core/vector.ts';
import { createVectorCache, throughCache } from '../../../src/embedder/core/vector-cache.ts';

/** Two numbers from the text's length, more exact than the database keeps them. */
const vectorFor = (text: string) => Float32Array.of(1 / (text.length + 2), 1 / 3);

/** A source that notes which texts it embeds and which stored vectors it is asked for. */
function notingSource(storedAt: readonly number[] = []) {
  const embedded: string[] = [];
  const looked: number[] = [];
  return {
    embedded,
    looked,
    embed: async (
      missing: readonly string[],
      keep: (text: string, vector: Float32Array) => void,
    ) => {
      embedded.push(...missing);
      for (const text of missing) keep(text, vectorFor(text));
    },
    stored: async (places: readonly number[]) => {
      looked.push(...places);
      return places.map((place) => (storedAt.includes(place) ? Float32Array.of(place, 1) : null));
    },
  };
}

it('each text is embedded once, whether it stands twice in a call or comes again', async () => {
  const cache = createVectorCache(10);
  const { embed, embedded } = notingSource();
  const first = await throughCache(cache, ['one', 'three', 'one'], { embed });
  const second = await throughCache(cache, ['three', 'seven'], { embed });
  expect(embedded).toEqual(['one', 'three', 'seven']);
  expect(first[2]).toEqual(first[0]);
  expect(second[0]).toEqual(first[1]);
});

it('stored vectors are looked up for the texts that are not cached, and then not embedded', async () => {
  const cache = createVectorCache(10);
  const source = notingSource([1, 2]);
  await throughCache(cache, ['one'], { embed: source.embed });
  const found = await throughCache(cache, ['one', 'three', 'seven', 'three', 'new'], source);
  expect(source.looked).toEqual([1, 2, 4]);
  expect(source.embedded).toEqual(['one', 'new']);
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

it('a new vector has the precision of a stored one', async () => {
  const cache = createVectorCache(10);
  const [vector] = await throughCache(cache, ['one'], notingSource());
  expect(vector).toEqual(asStored(vectorFor('one')));
  expect(vector).not.toEqual(vectorFor('one'));
});
