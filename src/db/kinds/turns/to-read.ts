import { z } from 'zod';
import type { ArchiveRow } from '../../../domain/archive/archive.ts';
import { id } from '../../../domain/archive/archive-values.ts';
import { STEPS } from '../../../pipeline.ts';
import type { Statement, Tx } from '../../core/database.ts';

const TYPE = 'turn_to_read';

/** Turns whose facts were to be read again, since facts of theirs were forgotten together with other turns. */
export const TURN_TO_READ: ArchiveRow = {
  type: TYPE,
  table: 'jobs',
  key: ['subject'],
  row: z.strictObject({ subject: id }),
  where: `step = '${STEPS.extractFacts}' AND subject > 0`,
  isWork: true,
};

const TO_READ: Statement = {
  name: 'archive-to-read',
  text: `
WITH asked AS MATERIALIZED (
  SELECT DISTINCT (line ->> 'subject')::int AS id FROM archive_lines WHERE kind = '${TYPE}'
)
SELECT t.id FROM asked a JOIN turns t ON t.user_id = $1 AND t.id = a.id ORDER BY t.id`,
};

/** Of the turns that an archive says are to be read again, those that are there: others were forgotten since. */
export async function turnsToRead(tx: Tx): Promise<number[]> {
  return (await tx.query<{ id: number }>(TO_READ, [tx.userId])).map((turn) => turn.id);
}
