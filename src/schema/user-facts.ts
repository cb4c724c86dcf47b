import { builder } from './builder.ts';
import { FactCategoryEnum, PolarityEnum } from './fact-enums.ts';

const RefusalType = builder.prismaObject('FactRefusal', {
  description: 'Something that was said and not taken for a fact, and why.',
  fields: (t) => ({
    category: t.expose('category', { type: FactCategoryEnum, description: 'What kind it is.' }),
    key: t.exposeString('key', { nullable: true, description: 'What it is about.' }),
    value: t.exposeString('value', { description: 'In the words of the turn.' }),
    statement: t.exposeString('statement', { description: 'One sentence in the third person.' }),
    polarity: t.expose('polarity', { type: PolarityEnum, description: 'Whether it is so.' }),
    confidence: t.exposeFloat('confidence', { description: 'How sure it is, 0-1.' }),
    importance: t.exposeFloat('importance', { description: 'How much it matters, 0-1.' }),
    reason: t.exposeString('reason', {
      description: '"less sure" than a fact that is known, or "weak" in itself.',
    }),
    at: t.expose('at', { type: 'DateTime', description: 'When it was said.' }),
    recordedAt: t.expose('recordedAt', { type: 'DateTime', description: 'When it was refused.' }),
    turn: t.relation('turn', { description: 'The turn.' }),
  }),
});

builder.prismaObjectFields('User', (t) => ({
  facts: t.relatedConnection('facts', {
    cursor: 'userId_id',
    description:
      'What is true of the person: now, at a date (`at`), as it was known at a date (`knownAt`). The most important first.',
    args: {
      at: t.arg({ type: 'DateTime', description: 'What held then; now if left out.' }),
      knownAt: t.arg({
        type: 'DateTime',
        description: 'As was believed then; as now if left out.',
      }),
      category: t.arg({ type: FactCategoryEnum, description: 'Only of this kind.' }),
      key: t.arg.string({ description: 'Only under this key.' }),
    },
    query: ({ at, knownAt, category, key }, { app }) => {
      const moment = at ?? knownAt ?? app.clock();
      const holds = {
        validFrom: { lte: moment },
        OR: [{ validTo: null }, { validTo: { gt: moment } }],
      };
      const believed = knownAt
        ? {
            versions: {
              some: {
                recordedAt: { lte: knownAt },
                AND: [
                  { OR: [{ supersededAt: null }, { supersededAt: { gt: knownAt } }] },
                  { validFrom: { lte: moment } },
                  { OR: [{ validTo: null }, { validTo: { gt: moment } }] },
                ],
              },
            },
          }
        : { retractedAt: null, ...holds };
      return {
        where: {
          ...believed,
          ...(category ? { category } : {}),
          ...(key ? { key: key.trim().toLowerCase() } : {}),
        },
        orderBy: [{ pinned: 'desc' }, { importance: 'desc' }, { id: 'asc' }],
      };
    },
  }),
  factRefusals: t.relation('factRefusals', {
    type: RefusalType,
    description: 'What was said and not taken for a fact, the latest first; at most 100.',
    query: { orderBy: [{ recordedAt: 'desc' }, { turnId: 'desc' }, { number: 'desc' }], take: 100 },
  }),
}));
