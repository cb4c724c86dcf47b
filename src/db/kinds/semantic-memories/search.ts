import { anyTurn, saidWithin, within } from '../asked-about.ts';
import type { KindSearch } from '../kind.ts';

export const search: KindSearch = {
  where: `m.summary IS NOT NULL AND ${within('m')} AND (${anyTurn} OR EXISTS (
      SELECT FROM episodes e WHERE e.user_id = $1 AND e.summarized_into_id = m.id AND ${saidWithin('e')}))`,
  at: 'm.ended_at',
};
