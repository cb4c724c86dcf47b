import { anyTurn, saidBy } from '../asked-about.ts';
import type { KindSearch } from '../kind.ts';

export const search: KindSearch = {
  where: `f.retracted_at IS NULL AND ($12::text[] IS NULL OR f.category::text = ANY ($12))
    AND ($6::timestamptz IS NULL OR f.valid_from >= $6) AND ($7::timestamptz IS NULL OR f.valid_from < $7)
    AND f.valid_from <= $16::timestamptz AND (f.valid_to IS NULL OR f.valid_to > $16)
    AND (${anyTurn} OR EXISTS (
      SELECT FROM fact_sources s JOIN turns t ON t.user_id = s.user_id AND t.id = s.turn_id
      WHERE s.user_id = $1 AND s.fact_id = f.id AND ${saidBy}))`,
  at: 'f.last_verified_at',
  importance: 'f.importance',
  pinned: 'f.pinned',
};
