import type { Embed } from '../kind.ts';

export const embed: Embed = { table: 'turn_vectors' };
