import { z } from 'zod';
import { at, count, text } from './archive-values.ts';

export const ARCHIVE_FORMAT = 'mnemograph-archive';
export const ARCHIVE_VERSION = 1;

/** A type of rows in an archive. */
export type ArchiveRow = {
  type: string;
  table: string;
  /** The columns by which its rows are sorted. */
  key: readonly string[];
  /** Its columns without `user_id`, and the schema of their values. */
  row: z.ZodObject;
  /** Which rows of the table; left out: all of a user. */
  where?: string;
  /** The column that says when something was said or done: not in the future. */
  past?: string;
  /** Columns that no archive contains, and the values to store. */
  added?: Readonly<Record<string, string>>;
  /** Columns that refer to later rows; set once those are stored. */
  joinedLater?: readonly string[];
  /** Work that was to be done: it is queued again instead of stored. Archives of earlier versions do not count it. */
  isWork?: true;
  /** The type that it stands behind; left out: the one before it in the list. */
  after?: string;
};

/** The types in their order in an archive: a row refers to earlier ones and to its own type, except for columns that are joined later. */
export function inOrder(rows: readonly ArchiveRow[]): readonly ArchiveRow[] {
  const ordered: ArchiveRow[] = [];
  for (const row of rows) {
    const before = ordered.findIndex(({ type }) => type === row.after);
    ordered.splice(before < 0 ? ordered.length : before + 1, 0, row);
  }
  return ordered;
}

export const columnsOf = ({ row }: ArchiveRow): string[] => Object.keys(row.shape);

/** How many rows of each type. */
export type ArchiveCounts = Record<string, number>;

const countsOf = (rows: readonly ArchiveRow[]) =>
  z.strictObject(
    Object.fromEntries(rows.map(({ type, isWork }) => [type, isWork ? count.default(0) : count])),
  );

export const headerSchema = (rows: readonly ArchiveRow[]) =>
  z.strictObject({
    format: z.literal(ARCHIVE_FORMAT),
    version: z.literal(ARCHIVE_VERSION),
    user: text,
    exported_at: at,
    counts: countsOf(rows),
  });
export type ArchiveHeader = z.output<ReturnType<typeof headerSchema>>;

/** The last line: SHA-256 of all bytes before it, in hex. */
export const trailerSchema = (rows: readonly ArchiveRow[]) =>
  z.strictObject({
    type: z.literal('end'),
    counts: countsOf(rows),
    sha256: z.string().regex(/^[0-9a-f]{64}$/),
  });
export type ArchiveTrailer = z.output<ReturnType<typeof trailerSchema>>;
