import type { Embed } from '../kind.ts';

export const embed: Embed = {
  table: 'fact_vectors',
};
