import type { Kind } from '../kind.ts';
import { archive } from './archive.ts';
import { embed } from './embed.ts';
import { erase } from './erase.ts';
import { search } from './search.ts';

/** What holds: found by its category and statement. */
export const FACTS = {
  name: 'FACT',
  rows: {
    table: 'facts f',
    row: 'f',
    id: 'f.id',
    key: { fact_id: 'f.id' },
    text: `lower(f.category::text) || ': ' || f.statement`,
    hasText: 'true',
  },
  search,
  embed,
  erase,
  archive,
  backlog: {},
} satisfies Kind;
