import { STEPS } from '../../../pipeline.ts';
import type { Embed } from '../kind.ts';

export const embed: Embed = {
  step: STEPS.embedEpisodes,
  table: 'skill_vectors',
};
