import { z } from 'zod';
import { GENERATORS } from '../core/reasoning.ts';
import { isStorableTime, STORABLE_TIME } from '../core/storable-time.ts';

/** Leaves room in 32 bits for all that is counted after an import. */
const MOST_INT = 2_000_000_000;

/** What a memory gives its threads, turns, episodes …: 1, 2, 3. */
export const id = z.int().min(1).max(MOST_INT);
export const count = z.int().min(0).max(MOST_INT);
export const text = z.string();
export const number = z.number();
export const flag = z.boolean();
/** A moment with its offset, such as 2026-03-02T09:30:00+00:00. */
export const at = z.iso
  .datetime({ offset: true })
  .refine((time) => isStorableTime(new Date(time)), STORABLE_TIME);
/** 16 bytes in hex. */
export const keyHash = z.string().regex(/^\\x[0-9a-f]{32}$/);
export const generatedBy = z.enum(GENERATORS);
/** Any value of JSON. The parser of the line has made it. */
export const json = z.custom<unknown>((value) => value !== undefined, 'is missing');
export const jsonObject = z.record(z.string(), z.unknown());
