import { z } from 'zod';

export const CATEGORIES = [
  'CONSTRAINT',
  'EXPERIENCE',
  'GOAL',
  'IDENTITY',
  'INSTRUCTION',
  'INTEREST',
  'PERSONALITY',
  'PREFERENCE',
  'RELATIONSHIP',
] as const;

/** A fact as a tool gives it. */
export const factShape = z.object({
  id: z.string(),
  statement: z.string(),
  category: z.string(),
  key: z.string().nullable(),
  negative: z.boolean().optional(),
  from: z.string(),
  to: z.string().nullable(),
  known_since: z.string(),
});
