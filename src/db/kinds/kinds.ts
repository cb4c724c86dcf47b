import type { DerivedKind } from '../../domain/core/memory-kind.ts';
import { EPISODES } from './episodes.ts';
import { FACTS } from './facts.ts';
import type { Kind } from './kind.ts';
import { SEMANTIC_MEMORIES } from './semantic-memories.ts';
import { SKILLS } from './skills.ts';

/** Every kind of memory beside turns, in the order in which they are searched. */
export const KINDS: Record<DerivedKind, Kind> = {
  EPISODE: EPISODES,
  FACT: FACTS,
  SEMANTIC_MEMORY: SEMANTIC_MEMORIES,
  SKILL: SKILLS,
};
