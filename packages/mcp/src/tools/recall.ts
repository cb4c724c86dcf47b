import { z } from 'zod';
import { ownerOf, payloadOf } from '../ask.ts';
import type { RecallQuery } from '../generated/graphql.ts';
import { factData, factLine, speakerOf, statementOf } from '../lines.ts';
import { RECALL } from '../operations.ts';
import { factShape } from '../shapes.ts';
import { cut, fenced, plain } from '../text.ts';
import { defineTool, listOf, moment, until } from '../tool.ts';
import { day, momentOf, zoneIn } from '../zone.ts';

type Hit = Extract<RecallQuery['recall'], { hits: unknown }>['hits'][number];
const KINDS = ['TURN', 'EPISODE', 'FACT', 'SEMANTIC_MEMORY', 'SKILL'] as const;
/** The most characters of a hit: `open` shows all. */
const MOST = 400;

/** Finds what answers a query: first an index, `open` shows the rest. */
export const recall = defineTool({
  name: 'recall',
  needs: 'READ',
  description: 'Search everything said and known. `open` shows a hit in full.',
  hints: { readOnlyHint: true },
  input: z.object({
    query: z.string(),
    from: moment.optional(),
    to: until.optional(),
    channels: listOf(z.string()).optional(),
    speakers: listOf(z.string()).optional(),
    kinds: listOf(z.enum(KINDS)).optional(),
    first: z.number().default(8),
    max_tokens: z.number().default(1500),
  }),
  output: z.object({
    hits: z.array(
      z.object({
        id: z.string().nullable(),
        kind: z.string(),
        when: z.string().nullable(),
        text: z.string(),
        score: z.number(),
        why: z.string(),
      }),
    ),
    facts: z.array(factShape),
    left_out: z.number(),
  }),
  async run({ max_tokens, ...given }, access) {
    const [from, to] = await Promise.all([
      momentOf(given.from, access),
      momentOf(given.to, access),
    ]);
    const input = { ...given, from, to, maxTokens: max_tokens, userId: access.userId };
    const answer = await access.ask(RECALL, { input, ...ownerOf(access) });
    const found = payloadOf(answer.recall);
    const zone = zoneIn(answer);
    const hits = found.hits.map((hit) => ({ ...shown(hit), score: hit.score, why: whyOf(hit) }));
    const lines = hits.map(({ id, when, text, why }, index) => {
      const day_ = when ? `${day(when, zone)} ` : '';
      return `${index + 1}. ${day_}${plain(text)} (${why})${id ? ` [${id}]` : ''}`;
    });
    const left = found.leftOut.hits + found.leftOut.facts;
    return {
      markdown: fenced([
        ...found.facts.map((fact) => factLine(fact, zone)),
        ...lines,
        ...(left > 0 ? [`${left} more left out.`] : []),
      ]),
      data: { hits, facts: found.facts.map(factData), left_out: left },
    };
  },
});

function shown(hit: Hit) {
  const { kind } = hit;
  switch (hit.__typename) {
    case 'TurnHit': {
      const { id, occurredAt, text } = hit.turn;
      return { id, kind, when: occurredAt, text: `${speakerOf(hit.turn)}: ${cut(text, MOST)}` };
    }
    case 'EpisodeHit': {
      const { id = null, endedAt = null } = hit.episode ?? {};
      return { id, kind, when: endedAt, text: `${hit.title}: ${cut(hit.summary, MOST)}` };
    }
    case 'FactHit':
      return { id: hit.fact.id, kind, when: hit.fact.validFrom, text: statementOf(hit.fact) };
    case 'SemanticMemoryHit':
      return {
        id: null,
        kind,
        when: hit.semanticMemory?.endedAt ?? null,
        text: cut(hit.summary, MOST),
      };
    case 'SkillHit':
      return { id: null, kind, when: null, text: `${hit.name}: ${cut(hit.description, MOST)}` };
  }
}

/** Why it was found, in a few words. */
function whyOf({ score, explain: { bm25Rank, vectorRank } }: Hit): string {
  const words = bm25Rank === null || bm25Rank === undefined ? [] : [`words #${bm25Rank}`];
  const meaning = vectorRank === null || vectorRank === undefined ? [] : [`meaning #${vectorRank}`];
  return [`score ${score.toFixed(2)}`, ...words, ...meaning].join(', ');
}
