import type { z } from 'zod';
import { type InputIssue, InvalidInput } from './errors.ts';

/**
 * Parses an input by its schema.
 * @param root the beginning of the issues' paths
 * @param found other problems, to be reported together with those of the schema
 * @throws InvalidInput with every problem
 */
export function parse<S extends z.ZodType>(
  schema: S,
  value: unknown,
  root = 'input',
  found: readonly InputIssue[] = [],
): z.output<S> {
  const result = schema.safeParse(value);
  if (result.success && found.length === 0) return result.data;
  const issues = result.error?.issues ?? [];
  throw new InvalidInput([
    ...issues.map(({ path, message }) => ({ path: [root, ...path].join('.'), message })),
    ...found,
  ]);
}
