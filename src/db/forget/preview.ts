import { PREVIEWED, type Previewed } from '../../domain/core/previewed.ts';
import type { Statement, Tx } from '../core/database.ts';

/** The ids of what a memory holds, by kind. An episode or a semantic memory without a text counts as gone. */
export type Present = Record<Previewed, number[]>;

/** A thing that a forget would erase, with a line that says what it is. */
export type PreviewItem = { kind: Previewed; id: number; at: Date; line: string };

type PresentRow = {
  threads: number[];
  turns: number[];
  episodes: number[];
  facts: number[];
  memories: number[];
};

const PRESENT: Statement = {
  name: 'forget-present',
  text: `
SELECT ARRAY(SELECT id FROM threads WHERE user_id = $1 ORDER BY id) AS threads,
  ARRAY(SELECT id FROM turns WHERE user_id = $1 ORDER BY id) AS turns,
  ARRAY(SELECT id FROM episodes WHERE user_id = $1 AND summary IS NOT NULL ORDER BY id) AS episodes,
  ARRAY(SELECT id FROM facts WHERE user_id = $1 ORDER BY id) AS facts,
  ARRAY(SELECT id FROM semantic_memories WHERE user_id = $1 AND summary IS NOT NULL ORDER BY id) AS memories`,
};

/** What the memory holds at this point of the transaction. */
export async function present(tx: Tx): Promise<Present> {
  const [row] = await tx.query<PresentRow>(PRESENT, [tx.userId]);
  const { threads, turns, episodes, facts, memories } = row as PresentRow;
  return {
    THREAD: threads,
    TURN: turns,
    EPISODE: episodes,
    FACT: facts,
    SEMANTIC_MEMORY: memories,
  };
}

/** The characters of a text that are read for its line, and those of the line. */
const READ = 1_000;
const LINE = 160;

/** The first items of each kind take turns, so that each kind is shown. */
const LINES: Statement = {
  name: 'forget-lines',
  text: `
WITH items AS (
  SELECT 'THREAD' AS kind, id, last_activity_at AS at,
    coalesce(title, array_to_string(channels, ', ') || ', ' || turn_count || CASE turn_count WHEN 1 THEN ' turn' ELSE ' turns' END) AS text
  FROM threads WHERE user_id = $1 AND id = ANY($2::int[])
  UNION ALL SELECT 'TURN', id, occurred_at, left(text, ${READ}) FROM turns WHERE user_id = $1 AND id = ANY($3::int[])
  UNION ALL SELECT 'EPISODE', id, ended_at, left(coalesce(title, summary), ${READ}) FROM episodes
  WHERE user_id = $1 AND id = ANY($4::int[])
  UNION ALL SELECT 'FACT', id, valid_from, left(statement, ${READ}) FROM facts WHERE user_id = $1 AND id = ANY($5::int[])
  UNION ALL SELECT 'SEMANTIC_MEMORY', id, ended_at, left(summary, ${READ}) FROM semantic_memories
  WHERE user_id = $1 AND id = ANY($6::int[])
), placed AS (
  SELECT *, row_number() OVER (PARTITION BY kind ORDER BY at, id) AS place FROM items WHERE text IS NOT NULL
)
SELECT kind, id, at, left(trim(regexp_replace(text, '\\s+', ' ', 'g')), ${LINE}) AS line
FROM placed ORDER BY place, kind, id LIMIT $7`,
};

/** A line for each of these, by kind and time; at most `most` of all kinds together. */
export async function lines(tx: Tx, ids: Present, most: number): Promise<PreviewItem[]> {
  const first = PREVIEWED.map((kind) => ids[kind].slice(0, most));
  const rows = await tx.query<PreviewItem>(LINES, [tx.userId, ...first, most]);
  const order = ({ kind }: PreviewItem) => PREVIEWED.indexOf(kind);
  return rows.sort((a, b) => order(a) - order(b) || +a.at - +b.at || a.id - b.id);
}
