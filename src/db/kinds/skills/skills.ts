import type { Kind } from '../kind.ts';
import { archive } from './archive.ts';
import { embed } from './embed.ts';
import { erase } from './erase.ts';
import { search } from './search.ts';

/** A reusable pattern of an episode: found by its name and description, by which one of an episode's is distinguished from others. */
export const SKILLS = {
  name: 'SKILL',
  rows: {
    table: 'skills k',
    row: 'k',
    id: 'k.episode_id',
    number: 'k.number',
    key: { episode_id: 'k.episode_id', skill_number: 'k.number' },
    text: `k.name || ': ' || k.description`,
    hasText: 'true',
  },
  search,
  embed,
  erase,
  archive,
  backlog: {},
} satisfies Kind;
