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
});

it('stored vectors leave the cache to texts that would have to be embedded again', async () => {
  const cache = createVectorCache(2);
  await throughCache(cache, ['one', 'three'], notingSource());
  await throughCache(cache, ['seven', 'eleven'], notingSource([0, 1]));
  const again = notingSource();
  await throughCache(cache, ['one', 'three'], again);
  expect(again.embedded).toEqual([]);
});

/** A source that notes each call and answers it when the test says so. */
function slowSource() {
  const calls: { texts: readonly string[]; answer: () => void; fail: () => void }[] = [];
  return {
    calls,
    options: { priority: 'batch' as const },
    embed: async (texts: readonly string[], keep: (text: string, own: Float32Array) => void) => {
      await new Promise<void>((answer, reject) => {
        calls.push({ texts, answer, fail: () => reject(new Error('away')) });
      });
      for (const text of texts) keep(text, vectorFor(text));
    },
  };
}

it('two background calls at a time embed the text that both have once', async () => {
  const cache = createVectorCache(10);
  const source = slowSource();
  const first = throughCache(cache, ['one', 'three'], source);
  const second = throughCache(cache, ['three', 'seven'], source);
  source.calls[0]?.answer();
  expect(await first).toHaveLength(2);
  await expect.poll(() => source.calls.length).toBe(2);
  source.calls[1]?.answer();
  expect(await second).toEqual([asStored(vectorFor('three')), asStored(vectorFor('seven'))]);
  expect(source.calls.map(({ texts }) => texts)).toEqual([['one', 'three'], ['seven']]);
});

it('a background call embeds a text itself when the call that was to embed it fails', async () => {
  const cache = createVectorCache(10);
  const source = slowSource();
  const first = throughCache(cache, ['one'], source);
  const second = throughCache(cache, ['one'], source);
  source.calls[0]?.fail();
  await expect(first).rejects.toThrow('away');
  await expect.poll(() => source.calls.length).toBe(2);
  source.calls[1]?.answer();
  expect(await second).toEqual([asStored(vectorFor('one'))]);
});

it('a query does not wait for the background call that embeds its text', async () => {
  const cache = createVectorCache(10);
  const source = slowSource();
  const background = throughCache(cache, ['one'], source);
  const query = throughCache(cache, ['one'], { ...source, options: { priority: 'query' } });
  source.calls[1]?.answer();
  expect(await query).toEqual([vectorFor('one')]);
  source.calls[0]?.answer();
  await background;
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
