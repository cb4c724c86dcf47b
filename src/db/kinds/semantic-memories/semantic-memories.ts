import type { Kind } from '../kind.ts';
import { archive } from './archive.ts';
import { embed } from './embed.ts';
import { erase } from './erase.ts';
import { search } from './search.ts';

/** What several episodes come to: found by its summary. */
export const SEMANTIC_MEMORIES = {
  name: 'SEMANTIC_MEMORY',
  rows: {
    table: 'semantic_memories m',
    row: 'm',
    id: 'm.id',
    key: { semantic_memory_id: 'm.id' },
    text: 'm.summary',
    hasText: 'm.summary IS NOT NULL',
  },
  search,
  embed,
  erase,
  archive,
  backlog: {},
} satisfies Kind;
