import type { z } from 'zod';
import { InvalidInput } from './errors.ts';

/**
 * Parses an input by its schema.
 * @throws InvalidInput with every problem, each with the path of its field below `root`
 */
export function parse<S extends z.ZodType>(schema: S, value: unknown, root = 'input'): z.output<S> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw new InvalidInput(
    result.error.issues.map((issue) => ({
      path: [root, ...issue.path].join('.'),
      message: issue.message,
    })),
  );
}
