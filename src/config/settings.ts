import { z } from 'zod';

/** A setting that is a whole number from 1 to `max`. */
export const wholeNumber = (fallback: number, max: number) =>
  z.coerce.number().int().min(1).max(max).default(fallback);

/** A setting that may be missing or empty; both mean undefined. */
export const optional = <T extends z.ZodType>(schema: T) =>
  z.preprocess((value) => (value === '' ? undefined : value), schema.optional());
