import type { Kind } from '../kind.ts';
import { archive } from './archive.ts';
import { backlog } from './backlog.ts';
import { embed } from './embed.ts';
import { erase } from './erase.ts';

/** What was said, word for word. */
export const TURNS = {
  name: 'TURN',
  rows: null,
  search: null,
  embed,
  erase,
  archive,
  backlog,
} satisfies Kind;
