import { anyTurn, saidIn, within } from './asked-about.ts';
import type { Kind } from './kind.ts';

/** What several episodes come to: found by its summary. */
export const SEMANTIC_MEMORIES: Kind = {
  name: 'SEMANTIC_MEMORY',
  table: 'semantic_memories m',
  row: 'm',
  id: 'm.id',
  key: { semantic_memory_id: 'm.id' },
  text: 'm.summary',
  hasText: 'm.summary IS NOT NULL',
  vectors: { table: 'semantic_memory_vectors' },
  search: {
    where: `m.summary IS NOT NULL AND ${within('m')} AND (${anyTurn} OR EXISTS (
      SELECT FROM episodes e WHERE e.user_id = $1 AND e.summarized_into_id = m.id AND ${saidIn('e')}))`,
    at: 'm.ended_at',
  },
};
