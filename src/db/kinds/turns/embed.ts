import { STEPS } from '../../../pipeline.ts';
import type { Embed } from '../kind.ts';

export const embed: Embed = { step: STEPS.embedTurns, table: 'turn_vectors' };
