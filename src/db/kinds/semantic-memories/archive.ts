import { z } from 'zod';
import { at, count, generatedBy, id, text } from '../../../domain/archive/archive-values.ts';
import { type Archive, lastOf } from '../kind.ts';

const semanticMemory = z.strictObject({
  id,
  summary: text.nullable(),
  generated_by: generatedBy,
  model: text,
  context_ids: z.array(id).nullable(),
  started_at: at,
  ended_at: at,
  episode_count: count,
  turn_count: count,
  recorded_at: at,
  stale_at: at.nullable(),
});

export const archive: Archive = {
  rows: [{ type: 'semantic_memory', table: 'semantic_memories', key: ['id'], row: semanticMemory }],
  numbers: { last_semantic_memory: lastOf('last_semantic_memory', 'semantic_memories') },
};
