import { EPISODES } from './episodes/episodes.ts';
import { FACTS } from './facts/facts.ts';
import type { DescribedKind, Kind } from './kind.ts';
import { SEMANTIC_MEMORIES } from './semantic-memories/semantic-memories.ts';
import { SKILLS } from './skills/skills.ts';
import { TURNS } from './turns/turns.ts';

/** Every kind of memory, behind those that its rows refer to. */
const ALL = [TURNS, SEMANTIC_MEMORIES, EPISODES, SKILLS, FACTS] as const satisfies readonly Kind[];

export const KINDS: readonly Kind[] = ALL;

/** Those whose memories are found and embedded one by one. */
export const DESCRIBED_KINDS = KINDS.filter((kind): kind is DescribedKind => kind.rows !== null);

type CountOf<K> = K extends { backlog: infer Counts } ? keyof Counts : never;

/** What the backlog counts. */
export type BacklogCount = CountOf<(typeof ALL)[number]>;
