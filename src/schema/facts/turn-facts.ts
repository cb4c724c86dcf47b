import { builder } from '../core/builder.ts';
import { FactNode } from './fact.ts';

/** The most facts of a turn that are returned. */
const MOST = 50;

builder.prismaObjectField('Turn', 'facts', (t) =>
  t.field({
    type: [FactNode],
    description: `Facts that the turn states, past or retracted too: the ${MOST} stored first.`,
    select: (_args, _context, nested) => ({
      facts: { select: { fact: nested(true) }, orderBy: { factId: 'asc' }, take: MOST },
    }),
    resolve: ({ facts }) => facts.map(({ fact }) => fact),
  }),
);
