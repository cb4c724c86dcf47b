import { z } from 'zod';
import { type Access, named, payloadOf, Refusal } from '../ask.ts';
import type { FactFragment } from '../generated/graphql.ts';
import { factData, factLine } from '../lines.ts';
import { FACTS, RECALL } from '../operations.ts';
import { CATEGORIES, factShape } from '../shapes.ts';
import { fenced } from '../text.ts';
import { defineTool, moment } from '../tool.ts';

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
  description:
    'Facts about the user that are true, or were true `at` a time as known then (`known_at`).',
  hints: { readOnlyHint: true },
  input: z.object({
    category: z.enum(CATEGORIES).optional(),
    key: z.string().optional(),
    search: z.string().optional(),
    at: moment.optional(),
    known_at: moment.optional(),
  }),
  output: z.object({ facts: z.array(factShape), more: z.boolean() }),
  async run({ search, known_at: knownAt, ...filter }, access) {
    const { found, more } =
      search === undefined
        ? await listed({ ...filter, knownAt }, access)
        : await searched(search, { ...filter, knownAt }, access);
    return {
      markdown: fenced([...found.map(factLine), ...(more ? ['There are more.'] : [])]),
      data: { facts: found.map(factData), more },
    };
  },
});

async function listed(filter: Filter, access: Access) {
  const { user, viewer } = await access.ask(FACTS, { ...filter, ...named(access), first: MOST });
  const page = (user ?? viewer)?.facts;
  const found = page?.edges.flatMap((edge) => edge?.node ?? []) ?? [];
  return { found, more: page?.pageInfo.hasNextPage ?? false };
}

async function searched(query: string, filter: Filter, { ask, userId }: Access) {
  const { category, key, at, knownAt } = filter;
  if (knownAt !== undefined) {
    throw new Refusal('INVALID_INPUT', 'Give either search or known_at, not both.');
  }
  const categories = category ? [category] : undefined;
  const input = { query, asOf: at, categories, factsOnly: true, first: 20, userId };
  const result = payloadOf((await ask(RECALL, { input })).recall);
  const hits = result.hits.flatMap((hit) => (hit.__typename === 'FactHit' ? hit.fact : []));
  const all = new Map<string, FactFragment>(
    [...result.facts, ...hits].map((fact) => [fact.id, fact]),
  );
  const found = [...all.values()].filter((fact) => key === undefined || fact.key === key);
  return { found, more: result.leftOut.hits + result.leftOut.facts > 0 };
}
