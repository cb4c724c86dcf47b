import { PREVIEWED, type Previewed } from '../../domain/core/previewed.ts';
import type { Statement, Tx } from '../core/database.ts';
import type { Named } from '../kinds/erase.ts';
import { KINDS } from '../kinds/kinds.ts';

/** The ids of what a memory holds, by kind, the earliest first. What has lost its text counts as gone. */
export type Present = Record<Previewed, number[]>;

/** A thing that a forget would erase, with a line that says what it is. */
export type PreviewItem = { kind: Previewed; id: number; at: Date; line: string };

const THREADS: Named = {
  row: 'threads h',
  id: 'h.id',
  at: 'h.last_activity_at',
  text: `coalesce(h.title, array_to_string(h.channels, ', ') || ', ' || h.turn_count
    || CASE h.turn_count WHEN 1 THEN ' turn' ELSE ' turns' END)`,
};

const NAMED = [
  { kind: 'THREAD', named: THREADS },
  ...KINDS.flatMap(({ name, erase: { named } }) => (named ? [{ kind: name, named }] : [])),
];

const present = NAMED.map(
  ({ kind, named: { row, id, at, text } }) => `SELECT '${kind}' AS kind, ARRAY(
    SELECT ${id} FROM ${row} WHERE user_id = $1 AND ${text} IS NOT NULL ORDER BY ${at}, ${id}) AS ids`,
);

const PRESENT: Statement = { name: 'forget-present', text: present.join('\nUNION ALL ') };

/** What the memory holds at this point of the transaction. */
export async function presentIn(tx: Tx): Promise<Present> {
  const rows = await tx.query<{ kind: Previewed; ids: number[] }>(PRESENT, [tx.userId]);
  const idsOf = new Map(rows.map(({ kind, ids }) => [kind, ids]));
  return Object.fromEntries(PREVIEWED.map((kind) => [kind, idsOf.get(kind) ?? []])) as Present;
}

/** The characters of a text that are read for its line, and those of the line. */
const READ = 1_000;
const LINE = 160;

const items = NAMED.map(
  ({ kind, named: { row, id, at, text } }) => `
  SELECT '${kind}' AS kind, w.id, ${at} AS at, left(${text}, ${READ}) AS text
  FROM wanted w JOIN ${row} ON user_id = $1 AND ${id} = w.id WHERE w.kind = '${kind}'`,
);

/** Takes one of each kind in turn, so that each kind is shown. */
const LINES: Statement = {
  name: 'forget-lines',
  text: `
WITH wanted AS (
  SELECT * FROM json_to_recordset($2::json) AS w(kind text, id int)
), items AS (${items.join('\n  UNION ALL')}
), placed AS (
  SELECT *, row_number() OVER (PARTITION BY kind ORDER BY at, id) AS place FROM items WHERE text IS NOT NULL
)
SELECT kind, id, at, left(trim(regexp_replace(text, '\\s+', ' ', 'g')), ${LINE}) AS line
FROM placed ORDER BY place, kind, id LIMIT $3`,
};

/** A line for the first of each kind, by kind and time; at most `most` of all kinds together. */
export async function lines(tx: Tx, ids: Present, most: number): Promise<PreviewItem[]> {
  const wanted = PREVIEWED.flatMap((kind) => ids[kind].slice(0, most).map((id) => ({ kind, id })));
  const rows = await tx.query<PreviewItem>(LINES, [tx.userId, JSON.stringify(wanted), most]);
  const order = ({ kind }: PreviewItem) => PREVIEWED.indexOf(kind);
  return rows.sort((a, b) => order(a) - order(b) || +a.at - +b.at || a.id - b.id);
}
