import { anyTurn, saidIn, within } from '../asked-about.ts';
import type { Search } from '../kind.ts';

export const search: Search = {
  where: `m.summary IS NOT NULL AND ${within('m')} AND (${anyTurn} OR EXISTS (
      SELECT FROM episodes e WHERE e.user_id = $1 AND e.summarized_into_id = m.id AND ${saidIn('e')}))`,
  at: 'm.ended_at',
};
