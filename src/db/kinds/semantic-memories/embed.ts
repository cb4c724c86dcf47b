import type { Embed } from '../kind.ts';

export const embed: Embed = {
  table: 'semantic_memory_vectors',
};
