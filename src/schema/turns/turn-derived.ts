import { queryFromInfo } from '@pothos/plugin-prisma';
import { builder } from '../core/builder.ts';
import { loadersOf } from '../core/loaders.ts';
import { EpisodeNode } from '../episodes/episode.ts';
import { FactNode } from '../facts/fact.ts';

/** The most facts of a turn that are returned. */
const MOST_FACTS = 50;

builder.prismaObjectFields('Turn', (t) => ({
  segment: t.field({
    type: EpisodeNode,
    nullable: true,
    description: 'The closed segment that the turn is in; null while its segment is open.',
    select: { userId: true, threadId: true, number: true },
    resolve: ({ userId, threadId, number }, _args, context, info) => {
      const query: object = queryFromInfo({ context, info, typeName: 'Episode' });
      return loadersOf(context).segments.load({ userId, threadId, number, query });
    },
  }),
  facts: t.field({
    type: [FactNode],
    description: `The facts that the turn states, past and retracted ones included; at most ${MOST_FACTS}.`,
    select: (_args, _context, nested) => ({
      facts: { select: { fact: nested(true) }, orderBy: { factId: 'asc' }, take: MOST_FACTS },
    }),
    resolve: ({ facts }) => facts.map(({ fact }) => fact),
  }),
}));
