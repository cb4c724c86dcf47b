import type { Kind } from '../kind.ts';
import { archive } from './archive.ts';
import { backlog } from './backlog.ts';
import { embed } from './embed.ts';
import { erase } from './erase.ts';
import { search } from './search.ts';

/** Episodes, found by title and summary. The vector of what was said in a segment is the sum of its turns' vectors. */
export const EPISODES = {
  name: 'EPISODE',
  rows: {
    table: 'episodes e',
    row: 'e',
    id: 'e.id',
    key: { episode_id: 'e.id' },
    text: `concat_ws('. ', e.title, e.summary)`,
    hasText: '(e.title IS NOT NULL OR e.summary IS NOT NULL)',
  },
  search,
  embed,
  erase,
  archive,
  backlog,
} satisfies Kind;
