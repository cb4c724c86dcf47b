import type { Embedder } from '../../../src/embedder/core/embedder.ts';
import { profileOf } from '../../../src/embedder/core/profile.ts';

/** An embedder of 16 dimensions with this function. */
export const embedderOf = (embed: Embedder['embed']): Embedder => ({
  name: 'test',
  dimension: 16,
  profile: profileOf('test'),
  identify: async () => ({ name: 'test', dimension: 16 }),
  embed,
  [Symbol.asyncDispose]: async () => {},
});
