import { z } from 'zod';
import { type Access, named, ownerOf, payloadOf, Refusal } from '../ask.ts';
import type { FactFragment } from '../generated/graphql.ts';
import { factData, factLine } from '../lines.ts';
import { FACTS, RECALL } from '../operations.ts';
import { CATEGORIES, factShape } from '../shapes.ts';
import { fenced } from '../text.ts';
import { defineTool, moment } from '../tool.ts';
import { momentOf, zoneIn } from '../zone.ts';

const MOST = 50;

type Filter = {
  category?: (typeof CATEGORIES)[number] | undefined;
  key?: string | undefined;
  at?: string | undefined;
  knownAt?: string | undefined;
};

/** What is known, or was known or true at some time. */
export const facts = defineTool({
  name: 'facts',
  needs: 'READ',
  description: 'Facts that are true, or were true `at` a time as known then (`known_at`).',
  hints: { readOnlyHint: true },
  input: z.object({
    category: z.enum(CATEGORIES).optional(),
    key: z.string().optional(),
    search: z.string().optional(),
    at: moment.optional(),
    known_at: moment.optional(),
  }),
  output: z.object({ facts: z.array(factShape), more: z.boolean() }),
  async run({ search, ...given }, access) {
    const [at, knownAt] = await Promise.all([
      momentOf(given.at, access),
      momentOf(given.known_at, access),
    ]);
    const filter = { category: given.category, key: given.key, at, knownAt };
    const { found, more, zone } =
      search === undefined ? await listed(filter, access) : await searched(search, filter, access);
    const lines = found.map((fact) => factLine(fact, zone));
    return {
      markdown: fenced([...lines, ...(more ? ['There are more.'] : [])]),
      data: { facts: found.map(factData), more },
    };
  },
});

async function listed(filter: Filter, access: Access) {
  const answer = await access.ask(FACTS, { ...filter, ...named(access), first: MOST });
  const page = (answer.user ?? answer.viewer)?.facts;
  const found = page?.edges.flatMap((edge) => edge?.node ?? []) ?? [];
  return { found, more: page?.pageInfo.hasNextPage ?? false, zone: zoneIn(answer) };
}

async function searched(query: string, filter: Filter, access: Access) {
  const { category, key, at, knownAt } = filter;
  if (knownAt !== undefined) {
    throw new Refusal('INVALID_INPUT', 'Give either search or known_at, not both.');
  }
  const categories = category ? [category] : undefined;
  const input = { query, asOf: at, categories, factsOnly: true, first: 20 };
  const owned = { ...input, userId: access.userId };
  const answer = await access.ask(RECALL, { input: owned, ...ownerOf(access) });
  const result = payloadOf(answer.recall);
  const hits = result.hits.flatMap((hit) => (hit.__typename === 'FactHit' ? hit.fact : []));
  const all = new Map<string, FactFragment>(
    [...result.facts, ...hits].map((fact) => [fact.id, fact]),
  );
  const found = [...all.values()].filter((fact) => key === undefined || fact.key === key);
  return { found, more: result.leftOut.hits + result.leftOut.facts > 0, zone: zoneIn(answer) };
}
