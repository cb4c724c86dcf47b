import type { ReasonerStep } from '../../../domain/core/reasoning.ts';
import { clip, storable } from './clip.ts';

/** The maximum length of a text in characters, by step and field. */
const MOST: Partial<Record<ReasonerStep, Record<string, number>>> = {
  'describe-segment': { title: 200, topic: 200, approach: 300, summary: 600, evidence: 200 },
  compact: { micro: 600, meso: 3_000, name: 200, description: 500 },
  'extract-facts': { key: 200, value: 500, statement: 1_000, scope: 500 },
  'assess-relatedness': { reasoning: 1_000 },
  'synthesize-profile': { prose: 10_000 },
};
const OTHERS = 3_000;

/** Cuts the texts in a step's output and removes characters that cannot be stored. */
export function capOutput<T>(step: ReasonerStep, output: T, field = ''): T {
  if (typeof output === 'string') {
    return clip(storable(output), MOST[step]?.[field] ?? OTHERS) as T;
  }
  if (Array.isArray(output)) return output.map((item) => capOutput(step, item, field)) as T;
  if (typeof output !== 'object' || output === null || output instanceof Date) return output;
  return Object.fromEntries(
    Object.entries(output).map(([name, value]) => [name, capOutput(step, value, name)]),
  ) as T;
}
