import type { Memory } from '@mnemograph/client';

/** What a memory keeps on the default channel, oldest first. */
export async function saidIn(memory: Memory) {
  const { viewer } = await memory.request<{ viewer: { turns: Said } }>(SAID);
  return viewer.turns.edges.map(({ node }) => node).filter(({ channel }) => channel === 'default');
}
const SAID =
  '{ viewer { turns(first: 50) { edges { node { role text channel toolCalls { name ok result } } } } } }';
type Turn = { role: string; text: string; channel: string; toolCalls: object[] };
type Said = { edges: { node: Turn }[] };
