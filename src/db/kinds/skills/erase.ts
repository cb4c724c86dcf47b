import type { Erase } from '../erase.ts';

export const erase: Erase = {
  withTexts: [
    { table: 'skill_vectors', counted: 'vectors' },
    { table: 'skills', counted: 'skills' },
  ],
};
