import type { Context } from '../../context.ts';
import { SEARCHED_CHARACTERS } from '../../domain/turns/turn.ts';

/** The built-in rules read up to 5,000 of these characters, skipping code (cap-input.ts). */
const RULES_READ = 16_000;

/** How many characters of each turn a background step reads: the reasoner in use reads no more. */
export const readBy = ({ reasoner }: Pick<Context, 'reasoner'>): { each: number } => ({
  each: reasoner.generatedBy === 'MODEL' ? SEARCHED_CHARACTERS : RULES_READ,
});
