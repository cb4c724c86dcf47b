import { saidWithin, within } from '../asked-about.ts';
import type { KindSearch } from '../kind.ts';

export const search: KindSearch = {
  join: 'CROSS JOIN LATERAL (SELECT * FROM episodes WHERE user_id = $1 AND id = k.episode_id OFFSET 0) AS e',
  where: `${within('e')} AND ${saidWithin('e')}`,
  at: 'e.ended_at',
};
