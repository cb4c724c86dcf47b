import { vectorIndexName } from '../../domain/core/vector.ts';
import type { Statement, Tx } from '../core/database.ts';
import { type BacklogCount, KINDS } from '../kinds/kinds.ts';

/** What is still to be made of a user's turns. */
export type Backlog = Record<BacklogCount, number>;

const READ: Statement = {
  name: 'backlog-read',
  text: `
SELECT
  ${KINDS.flatMap(({ backlog }) => Object.entries(backlog))
    .map(([name, count]) => `${count} AS "${name}"`)
    .join(',\n  ')}`,
};

/** @param embedder null while vectors are switched off, or the embedder's name is not known */
export async function read(tx: Tx, embedder: string | null, now: Date): Promise<Backlog> {
  const [row] = await tx.query<Backlog>(READ, [
    tx.userId,
    embedder && vectorIndexName(embedder),
    now,
  ]);
  return row as Backlog;
}
