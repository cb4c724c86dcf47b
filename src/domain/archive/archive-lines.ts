import { z } from 'zod';
import { InvalidArchive } from '../core/errors.ts';
import { exceeds } from '../core/json-bounds.ts';
import { canBe } from '../turns/turn.ts';
import {
  ARCHIVE_FORMAT,
  ARCHIVE_VERSION,
  type ArchiveCounts,
  type ArchiveRow,
  headerSchema,
  trailerSchema,
} from './archive.ts';

/** A line that was checked: a row as it is to be stored, or the end, with the SHA-256 that all before it must have. */
type CheckedLine =
  | { kind: 'header' }
  | { kind: 'row'; row: object }
  | { kind: 'end'; sha256: string };

/** Checks an archive line by line. @throws InvalidArchive with the number of the line, and none of its words */
export type LineCheck = {
  next(line: string): CheckedLine;
  /** Checks that the last line was there. */
  finish(): ArchiveCounts;
};

/** Far more than a line of an archive holds. So much is parsed in milliseconds. */
const BOUNDS = { levels: 200, values: 200_000 };

const OTHER_VERSION = z.object({ format: z.literal(ARCHIVE_FORMAT), version: z.number() });

/**
 * @param rows the types that there are, in their order
 * @param now what was done later was not done
 */
export function createLineCheck(rows: readonly ArchiveRow[], now: Date): LineCheck {
  const counts: ArchiveCounts = Object.fromEntries(rows.map(({ type }) => [type, 0]));
  const schemas = { header: headerSchema(rows), trailer: trailerSchema(rows) };
  let line = 0;
  let expected: ArchiveCounts | null = null;
  let place = 0;
  let isOver = false;

  const refuse = (what: string): never => {
    throw new InvalidArchive(`line ${line}: ${what}`);
  };
  const parse = <T>(schema: z.ZodType<T>, value: unknown): T => {
    const result = schema.safeParse(value);
    if (result.success) return result.data;
    const [issue] = result.error.issues;
    const where = issue?.path.length ? `${issue.path.join('.')}: ` : '';
    return refuse(`${where}${issue?.message}`);
  };
  const header = (value: unknown): CheckedLine => {
    const other = OTHER_VERSION.safeParse(value);
    if (!other.success) return refuse(`it is not the header of a ${ARCHIVE_FORMAT}`);
    if (other.data.version !== ARCHIVE_VERSION) {
      refuse(`this server reads version ${ARCHIVE_VERSION}, not ${other.data.version}`);
    }
    expected = parse(schemas.header, value).counts;
    return { kind: 'header' };
  };
  const end = (value: unknown): CheckedLine => {
    const trailer = parse(schemas.trailer, value);
    isOver = true;
    for (const { type } of rows) {
      if (counts[type] === expected?.[type] && counts[type] === trailer.counts[type]) continue;
      refuse(`there are ${counts[type]} rows of type ${type}, not as many as it says`);
    }
    if (counts.user !== 1) refuse('it is not the memory of one user');
    return { kind: 'end', sha256: trailer.sha256 };
  };
  const check = (index: number, value: object): CheckedLine => {
    const { type, row, past } = rows[index] as ArchiveRow;
    if (index < place) refuse(`a row of type ${type} stands behind those of ${rows[place]?.type}`);
    place = index;
    counts[type] = (counts[type] ?? 0) + 1;
    const parsed = parse<Record<string, unknown>>(row, value);
    const at = past && parsed[past];
    if (at && !canBe(new Date(String(at)), now)) {
      refuse(`${past}: must lie between 1970-01-01 and now (${now.toISOString()})`);
    }
    return { kind: 'row', row: { type, ...parsed } };
  };

  return {
    next(text) {
      line += 1;
      if (exceeds(text, BOUNDS)) refuse('it holds more than a row can');
      if (isOver) refuse('there is something behind the end');
      const value = parseJson(text) ?? refuse('it is no JSON object');
      if (expected === null) return header(value);
      const { type, ...rest } = value;
      if (type === 'end') return end(value);
      const index = rows.findIndex((row) => row.type === type);
      return index < 0 ? refuse('there is no such "type"') : check(index, rest);
    },
    finish() {
      if (!isOver) throw new InvalidArchive(`it ends after line ${line}, before its closing line`);
      return counts;
    },
  };
}

function parseJson(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}
