import { saidIn, within } from '../asked-about.ts';
import type { Search } from '../kind.ts';

export const search: Search = {
  join: 'JOIN episodes e ON e.user_id = k.user_id AND e.id = k.episode_id',
  where: `${within('e')} AND ${saidIn('e')}`,
  at: 'e.ended_at',
};
