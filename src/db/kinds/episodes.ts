import { saidIn, within } from './asked-about.ts';
import type { Kind } from './kind.ts';

/** What happened: found by its title and summary. What was said in a segment is the sum of its turns' vectors. */
export const EPISODES: Kind = {
  name: 'EPISODE',
  table: 'episodes e',
  row: 'e',
  id: 'e.id',
  key: { episode_id: 'e.id' },
  text: `concat_ws('. ', e.title, e.summary)`,
  hasText: '(e.title IS NOT NULL OR e.summary IS NOT NULL)',
  vectors: {
    table: 'episode_vectors',
    beside: {
      said: `(
  SELECT sum(v.embedding) FROM turns t JOIN turn_vectors v ON v.user_id = t.user_id AND v.turn_id = t.id AND v.embedder = $2
  WHERE t.user_id = $1 AND t.thread_id = e.thread_id AND t.number BETWEEN e.first_turn AND e.last_turn
    AND t.role NOT IN ('TOOL', 'SYSTEM') AND e.kind = 'SEGMENT')`,
    },
  },
  search: {
    where: `e.kind <> 'PRIMARY' AND e.summary IS NOT NULL AND (e.capture IS NULL OR e.capture = 'CREATED')
    AND ${within('e')} AND ${saidIn('e')}`,
    at: 'e.ended_at',
    reviewedAt: 'e.last_reviewed_at',
    stability: 'e.stability',
    surprise: 'e.surprise',
  },
};
