import { inOrder } from '../../domain/archive/archive.ts';
import { createLineCheck, type LineCheck } from '../../domain/archive/archive-lines.ts';
import type { Database } from '../core/database.ts';
import { KINDS } from '../kinds/kinds.ts';
import { FIRST, LAST } from './common-rows.ts';

/** The rows of an archive, in their order in it. */
export const ARCHIVE_ROWS = inOrder([
  ...FIRST,
  ...KINDS.flatMap(({ archive }) => archive.rows),
  ...LAST,
]);

/** Checks the lines of an archive. @param now what was done later was not done */
export const lineCheck = (_db: Database, now: Date): LineCheck =>
  createLineCheck(ARCHIVE_ROWS, now);
