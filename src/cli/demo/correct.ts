import { type Memory, payloadOf } from '@mnemograph/client';

type Links = { viewer: { links: { edges: { node: { id: string } }[] } } };
type Rated = { rateLink: { __typename: string } };

const LINKS = /* GraphQL */ `
  query Links { viewer { links(verdict: LINK, first: 2) { edges { node { id } } } } }
`;
const RATE = /* GraphQL */ `
  mutation Rate($linkId: ID!) {
    rateLink(linkId: $linkId, outcome: CORRECT) { __typename ... on Error { code message } }
  }
`;

/** What a person does by hand: records and pins a fact, and says that the latest links are right. */
export async function correct(memory: Memory): Promise<void> {
  await memory.facts.record({
    category: 'PREFERENCE',
    value: 'a window seat on the left side of the train',
    pinned: true,
  });
  const { viewer } = await memory.request<Links>(LINKS);
  for (const { node } of viewer.links.edges) {
    payloadOf((await memory.request<Rated>(RATE, { linkId: node.id })).rateLink);
  }
}
