import type { Hit as Found, Memory } from '@mnemograph/client';

/** A hit, ready to be printed. */
export type DemoHit = {
  speaker: string;
  text: string;
  channel: string;
  occurredAt: string;
  score: number;
  /** How it was found, for people to read. */
  found: string;
};

/** Recalls the best turns for a question. @throws MemoryError when the server refuses the query */
export async function askMemory(memory: Memory, query: string, first: number): Promise<DemoHit[]> {
  const { hits } = await memory.recall(query, { first, kinds: ['TURN'] });
  return hits.flatMap((hit) => {
    if (hit.kind !== 'TURN') return [];
    const { role, speaker, text, channel, occurredAt } = hit.turn;
    return {
      ...{ text, channel, occurredAt, score: hit.score, found: describeRanks(hit.explain) },
      speaker: speaker ?? (role === 'USER' ? 'the person' : role.toLowerCase()),
    };
  });
}

function describeRanks({ bm25Rank = null, vectorRank = null }: Found['explain']): string {
  const ranks = [
    ...(bm25Rank === null ? [] : [`no. ${bm25Rank} by keywords`]),
    ...(vectorRank === null ? [] : [`no. ${vectorRank} by semantic similarity`]),
  ];
  return ranks.join(', ') || 'found next to another turn';
}
