import type { z } from 'zod';
import { recallIntentOf } from '../../domain/recall-intent.ts';
import type { StepOutput, recallIntent as shapes } from '../reasoner.ts';

/** Whether a message asks for what was said before, by English patterns. */
export function detectRecallIntent({
  message,
}: z.output<(typeof shapes)['input']>): StepOutput<'recall-intent'> {
  return recallIntentOf(message);
}
