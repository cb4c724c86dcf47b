import type { HitFragment } from './generated/graphql.ts';

type Kinds = {
  TurnHit: 'TURN';
  EpisodeHit: 'EPISODE';
  FactHit: 'FACT';
  SemanticMemoryHit: 'SEMANTIC_MEMORY';
  SkillHit: 'SKILL';
};

/** The fragment types have the enum of all kinds in each: here `kind` tells which hit it is. */
type WithKind<Each extends { __typename: keyof Kinds }> = Each extends unknown
  ? Omit<Each, 'kind'> & { kind: Kinds[Each['__typename']] }
  : never;

/** Something that was found, with the explanation of its score; `kind` says what. */
export type Hit = WithKind<HitFragment>;
