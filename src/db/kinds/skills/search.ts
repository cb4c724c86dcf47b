import { saidWithin, within } from '../asked-about.ts';
import type { KindSearch } from '../kind.ts';

export const search: KindSearch = {
  join: 'JOIN episodes e ON e.user_id = k.user_id AND e.id = k.episode_id',
  where: `${within('e')} AND ${saidWithin('e')}`,
  at: 'e.ended_at',
};
