import type { z } from 'zod';
import { type InputIssue, InvalidInput } from './errors.ts';

/**
 * Parses an input by its schema.
 * @param argument the argument that holds the value, with which the issues' paths begin; null if each field is an argument
 * @param found other problems, to be reported together with those of the schema
 * @throws InvalidInput with every problem
 */
export function parse<S extends z.ZodType>(
  schema: S,
  value: unknown,
  argument: string | null,
  found: readonly InputIssue[] = [],
): z.output<S> {
  const result = schema.safeParse(value);
  if (result.success && found.length === 0) return result.data;
  const issues = result.error?.issues ?? [];
  const start = argument === null ? [] : [argument];
  throw new InvalidInput([
    ...issues.map(({ path, message }) => ({ path: [...start, ...path].join('.'), message })),
    ...found,
  ]);
}
