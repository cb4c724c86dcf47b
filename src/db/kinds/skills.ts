import { saidIn, within } from './asked-about.ts';
import type { Kind } from './kind.ts';

/** A reusable pattern of an episode: found by its name and description, by which one of an episode's is told from others. */
export const SKILLS: Kind = {
  name: 'SKILL',
  table: 'skills k',
  row: 'k',
  id: 'k.episode_id',
  number: 'k.number',
  key: { episode_id: 'k.episode_id', skill_number: 'k.number' },
  text: `k.name || ': ' || k.description`,
  hasText: 'true',
  vectors: { table: 'skill_vectors' },
  search: {
    join: 'JOIN episodes e ON e.user_id = k.user_id AND e.id = k.episode_id',
    where: `${within('e')} AND ${saidIn('e')}`,
    at: 'e.ended_at',
  },
};
