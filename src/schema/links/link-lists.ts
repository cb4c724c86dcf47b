import { builder } from '../core/builder.ts';
import { listWords } from '../core/list-words.ts';
import { spanOf } from '../core/time-filter.ts';
import { LinkCertaintyEnum, LinkOutcomeEnum, LinkVerdictEnum } from './link-enums.ts';

builder.prismaObjectFields('User', (t) => ({
  links: t.relatedConnection('links', {
    ...listWords({
      entries: 'link decisions of the user',
      start: 'the latest',
      end: 'the earliest',
      node: 'A link decision: whether two threads belong together, and why.',
    }),
    cursor: 'userId_id',
    description: 'Link decisions in this memory, by `decidedAt`, latest first.',
    args: {
      verdict: t.arg({
        type: LinkVerdictEnum,
        description: 'Return only decisions with this verdict.',
      }),
      certainty: t.arg({
        type: LinkCertaintyEnum,
        description: 'Return only decisions with this certainty.',
      }),
      outcome: t.arg({
        type: LinkOutcomeEnum,
        description: 'Return only decisions with this outcome.',
      }),
      from: t.arg({
        type: 'DateTime',
        description: 'Return only decisions whose `decidedAt` is at or after this time.',
      }),
      to: t.arg({
        type: 'DateTime',
        description:
          'Return only decisions whose `decidedAt` is before this time. It must be later than `from`.',
      }),
    },
    query: ({ verdict, certainty, outcome, ...span }) => ({
      where: {
        decidedAt: spanOf(span),
        ...(verdict ? { verdict } : {}),
        ...(certainty ? { certainty } : {}),
        ...(outcome ? { outcome } : {}),
      },
      orderBy: [{ decidedAt: 'desc' }, { id: 'desc' }],
    }),
  }),
}));

builder.prismaObjectFields('Thread', (t) => ({
  links: t.relatedConnection('links', {
    ...listWords({
      entries: 'link decisions on the thread',
      start: 'the highest `fusedScore`',
      end: 'the lowest `fusedScore`',
      node: 'The decision on whether the thread belongs with one earlier thread.',
    }),
    cursor: 'userId_id',
    description:
      'Decisions on whether this thread belongs with earlier threads, highest `fusedScore` first. Only the most likely ' +
      'earlier threads are compared with it. A decision about a later thread is in the list of that thread.',
    query: { orderBy: [{ fusedScore: 'desc' }, { id: 'desc' }] },
  }),
}));
