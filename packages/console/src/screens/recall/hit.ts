import type { RecallInConsoleQuery } from '../../generated/graphql.ts';

type Answer = RecallInConsoleQuery['recall'];
export type Recalled = Extract<Answer, { __typename: 'RecallPayload' }>;
export type RecalledHit = Recalled['hits'][number];

/** The words by which a hit is known. */
export function wordsOf(hit: RecalledHit): string {
  if ('turn' in hit) return hit.turn.text;
  if ('fact' in hit) return hit.fact.statement;
  if ('title' in hit) return hit.title || hit.summary;
  return 'name' in hit ? hit.name : hit.summary;
}

/** What tells one hit from another, over several answers. */
export function keyOf(hit: RecalledHit): string {
  if ('turn' in hit) return hit.turn.id;
  if ('fact' in hit) return hit.fact.id;
  if ('episode' in hit) return hit.episode?.id ?? hit.summary;
  return wordsOf(hit);
}
