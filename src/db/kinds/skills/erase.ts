import type { Erase } from '../erase.ts';

export const erase: Erase = {
  withTexts: [
    { table: 'skills', counted: 'skills' },
    { table: 'skill_vectors', counted: 'vectors' },
  ],
};
