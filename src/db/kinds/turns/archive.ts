import { z } from 'zod';
import { at, count, id, keyHash } from '../../../domain/archive/archive-values.ts';
import { ALL_CUES } from '../../../domain/ranking/ranking-cues.ts';
import {
  channelSchema,
  nameSchema,
  toolCallsSchema,
  turnTextSchema,
} from '../../../domain/turns/turn.ts';
import { ROLES } from '../../../shared/role.ts';
import type { Statement } from '../../core/database.ts';
import { type Archive, lastOf } from '../kind.ts';

const turn = z.strictObject({
  id,
  thread_id: id,
  number: id,
  role: z.enum(ROLES),
  speaker: nameSchema.nullable(),
  channel: channelSchema,
  text: turnTextSchema,
  tool_calls: toolCallsSchema.nullable(),
  word_count: count,
  cues: z.number().int().min(0).max(ALL_CUES).nullable(),
  occurred_at: at,
  recorded_at: at,
  key_hash: keyHash.nullable(),
});

const COUNT_THREADS: Statement = {
  name: 'archive-count-threads',
  text: `
UPDATE threads t SET turn_count = c.count FROM (
  SELECT id, (SELECT count(*) FROM turns WHERE user_id = $1 AND thread_id = threads.id) AS count
  FROM threads WHERE user_id = $1
) AS c WHERE t.user_id = $1 AND t.id = c.id AND t.turn_count <> c.count`,
};

export const archive: Archive = {
  rows: [{ type: 'turn', table: 'turns', key: ['id'], row: turn, past: 'occurred_at' }],
  numbers: {
    turn_count: '(SELECT count(*) FROM turns WHERE user_id = $1)',
    word_count: '(SELECT coalesce(sum(word_count), 0) FROM turns WHERE user_id = $1)',
    last_turn: lastOf('last_turn', 'turns'),
  },
  finish: [COUNT_THREADS],
  misfits: [
    {
      first: `
SELECT min(t.id) FROM threads t CROSS JOIN LATERAL (
  SELECT count(DISTINCT number) AS numbers, coalesce(max(number), 0) AS last FROM turns WHERE user_id = $1 AND thread_id = t.id
) AS n WHERE t.user_id = $1 AND (t.turn_count <> n.numbers OR t.turn_count <> n.last)`,
      reason: (id) => `the turns of thread ${id} are not numbered from 1 on`,
    },
  ],
};
