import { builder } from '../core/builder.ts';
import { FactCategoryEnum, PolarityEnum } from './fact-enums.ts';

const RefusalType = builder.prismaObject('FactRefusal', {
  description: 'A candidate fact that was not accepted, with the reason.',
  fields: (t) => ({
    category: t.expose('category', {
      type: FactCategoryEnum,
      description: 'The category the fact would have had.',
    }),
    key: t.exposeString('key', {
      nullable: true,
      description: 'The key the fact would have had; null if it has no canonical key.',
    }),
    value: t.exposeString('value', {
      description: 'The value of the candidate, in the words of the turn.',
    }),
    statement: t.exposeString('statement', {
      description: 'The candidate as one sentence in the third person.',
    }),
    polarity: t.expose('polarity', {
      type: PolarityEnum,
      description: 'POSITIVE if the candidate affirms, NEGATIVE if it denies.',
    }),
    confidence: t.exposeFloat('confidence', {
      description: 'How certain it is that the candidate was understood correctly, 0-1.',
    }),
    importance: t.exposeFloat('importance', {
      description: 'How much the candidate would matter to later answers, 0-1.',
    }),
    reason: t.exposeString('reason', {
      description: 'The reason: "less sure" than a known fact, or "weak" in itself.',
    }),
    at: t.expose('at', { type: 'DateTime', description: 'When the candidate was said.' }),
    recordedAt: t.expose('recordedAt', {
      type: 'DateTime',
      description: 'When the candidate was refused.',
    }),
    turn: t.relation('turn', { description: 'The turn that states it.' }),
  }),
});

builder.prismaObjectFields('User', (t) => ({
  facts: t.relatedConnection('facts', {
    cursor: 'userId_id',
    description:
      'Facts that are true at the time `at`, by what was believed at the time `knownAt`. Pinned ones first, ' +
      'then by importance.',
    args: {
      at: t.arg({
        type: 'DateTime',
        description:
          'Return what was true at this time. Defaults to `knownAt`, or to now without it.',
      }),
      knownAt: t.arg({
        type: 'DateTime',
        description: 'Return what was believed at this time. Defaults to now.',
      }),
      category: t.arg({
        type: FactCategoryEnum,
        description: 'Return only facts of this category.',
      }),
      key: t.arg.string({ description: 'Return only facts with this key.' }),
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
    description: 'Candidate facts that were not accepted, latest first; at most 100.',
    query: { orderBy: [{ recordedAt: 'desc' }, { turnId: 'desc' }, { number: 'desc' }], take: 100 },
  }),
}));
