import { InvalidInput } from '../../domain/core/errors.ts';
import { nearestStorableTime } from '../../domain/core/storable-time.ts';
import { factTime } from '../../domain/facts/fact-time.ts';
import { FORGOTTEN } from '../../domain/facts/forgotten-fact.ts';
import { builder } from '../core/builder.ts';
import { listWords } from '../core/list-words.ts';
import { checkedSearchText } from '../core/search-text.ts';
import { FactCategoryEnum, PolarityEnum } from './fact-enums.ts';

const RefusalType = builder.prismaObject('FactRefusal', {
  description:
    'A candidate fact (a statement that was read from a turn) that was not stored as a fact, and the reason.',
  fields: (t) => ({
    category: t.expose('category', {
      type: FactCategoryEnum,
      description: 'The category the fact would have had.',
    }),
    key: t.exposeString('key', {
      nullable: true,
      description: 'The key the fact would have had; null if it would have had none.',
    }),
    value: t.exposeString('value', {
      description: 'The value of the candidate, in the words of the turn.',
    }),
    statement: t.exposeString('statement', {
      description:
        'The candidate as one sentence: in the third person, or a sentence of the user word for word.',
    }),
    polarity: t.expose('polarity', {
      type: PolarityEnum,
      description: 'NEGATIVE if the candidate denies or dislikes its `value`, otherwise POSITIVE.',
    }),
    confidence: t.exposeFloat('confidence', {
      description: 'How certain it is that the candidate was understood correctly, 0-1.',
    }),
    importance: t.exposeFloat('importance', {
      description: 'How much the candidate would matter to later answers, 0-1.',
    }),
    reason: t.exposeString('reason', {
      description:
        '"less sure" if a fact that contradicts it and is true at the time `at` is more certain, or "weak" if its own confidence is ' +
        'below 0.4 or its importance below 0.2.',
    }),
    at: t.expose('at', {
      type: 'DateTime',
      description: 'Event time of the turn that states the candidate.',
    }),
    recordedAt: t.expose('recordedAt', {
      type: 'DateTime',
      description: 'When the candidate was refused.',
    }),
    turn: t.relation('turn', { description: 'The turn that states the candidate.' }),
  }),
});

const FactStateEnum = builder.enumType('FactState', {
  description:
    'Which facts to return: by whether they are believed, and whether they are true at the time `at`.',
  values: {
    ACTIVE: { description: 'Believed, and true at that time.' },
    PAST: { description: 'Believed, but no longer true at that time.' },
    RETRACTED: {
      description:
        'Retracted with `retractFact`: not believed to have been true at any time. A fact that another replaced is not retracted.',
    },
    ALL: { description: 'Every fact on record, also those that begin only after that time.' },
  },
});

/** The conditions of facts in a state. @param holds those of facts that are true at the moment */
function inState<Holds extends object>(
  state: typeof FactStateEnum.$inferType,
  holds: Holds,
  moment: Date,
) {
  switch (state) {
    case 'ACTIVE':
      return { retractedAt: null, ...holds };
    case 'PAST':
      return { retractedAt: null, validTo: { lte: moment } };
    case 'RETRACTED':
      return { retractedAt: { not: null } };
    case 'ALL':
      return {};
  }
}

/** The conditions of facts that contain a text; one of them must hold. @throws InvalidInput if it is blank or too long */
function containing(search: string) {
  // Prisma leaves the wildcards of LIKE as they are.
  const contains = checkedSearchText('search', search).replace(/[\\%_]/g, '\\$&');
  return (['statement', 'value', 'key'] as const).map((column) => ({
    [column]: { contains, mode: 'insensitive' as const },
  }));
}

builder.prismaObjectFields('User', (t) => ({
  facts: t.relatedConnection('facts', {
    ...listWords({
      entries: 'facts of the user',
      start: 'pinned ones, if any, then the most important',
      end: 'the least important, after any pinned ones',
      node: 'A fact as it is now, also if it was found by `at` or `knownAt`.',
    }),
    cursor: 'userId_id',
    description:
      'Facts in a state, by default ACTIVE: true at the time `at`, by what was believed at the time ' +
      '`knownAt`. Pinned ones first, then the most important. Their fields show them as they are now.',
    args: {
      at: t.arg({
        type: 'DateTime',
        description:
          'The time at which ACTIVE facts are true and PAST facts have ended. Defaults to `knownAt` or, without that, to 5 minutes ' +
          'from now, as clocks differ. RETRACTED and ALL ignore it.',
      }),
      knownAt: t.arg({
        type: 'DateTime',
        description:
          'Select the facts by what was believed at this time (transaction time). Defaults to now.',
      }),
      category: t.arg({
        type: FactCategoryEnum,
        description: 'Return only facts of this category.',
      }),
      key: t.arg.string({
        description: 'Return only facts with this key; capitals make no difference.',
      }),
      state: t.arg({
        type: FactStateEnum,
        defaultValue: 'ACTIVE',
        description: 'Return facts in this state. With `knownAt` only ACTIVE is possible.',
      }),
      search: t.arg.string({
        description:
          'Return only facts whose statement, value or key contains this text; 1-200 characters, capitals make no difference.',
      }),
      polarity: t.arg({
        type: PolarityEnum,
        description:
          'Return only facts whose `value` is affirmed, or only those in which it is denied or disliked.',
      }),
    },
    query: ({ category, key, state, search, polarity, ...times }, { app }) => {
      const knownAt = nearestStorableTime(times.knownAt);
      const moment = nearestStorableTime(times.at ?? knownAt ?? factTime(app.clock()));
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
        : inState(state ?? 'ACTIVE', holds, moment);
      if (knownAt && state && state !== 'ACTIVE') {
        const message = 'must be ACTIVE, or left out, together with `knownAt`';
        throw new InvalidInput([{ path: 'state', message }]);
      }
      return {
        where: {
          ...believed,
          ...(category ? { category } : {}),
          ...(polarity ? { polarity } : {}),
          ...(search == null ? {} : { AND: { OR: containing(search) } }),
          ...(key ? { key: key.trim().toLowerCase() } : {}),
        },
        orderBy: [{ pinned: 'desc' }, { importance: 'desc' }, { id: 'asc' }],
      };
    },
  }),
  factRefusals: t.relation('factRefusals', {
    type: RefusalType,
    description:
      'Candidate facts that were not stored, since they were too weak or contradicted a more certain fact; latest refusal first, at ' +
      'most 100.',
    // Marks of forgotten facts have no words.
    query: {
      where: { reason: { not: FORGOTTEN } },
      orderBy: [{ recordedAt: 'desc' }, { turnId: 'desc' }, { number: 'desc' }],
      take: 100,
    },
  }),
}));
