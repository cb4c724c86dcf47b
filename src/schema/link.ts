import { InvalidInput, NotFound } from '../domain/errors.ts';
import type { LINK_SIGNS, LinkCertainty } from '../domain/link-outcome.ts';
import {
  algorithmicScore,
  type LinkingParts,
  type LinkingWeights,
  type LinkVerdict,
} from '../domain/linking.ts';
import type { LinkingSignal } from '../domain/linking-signal.ts';
import { rateLink } from '../remember/rate-link.ts';
import { builder } from './builder.ts';
import { localId, userOf } from './request-context.ts';
import { GeneratedByEnum } from './scalars.ts';

const LinkVerdictEnum = builder.enumType('LinkVerdict', {
  description: 'Whether two threads were taken to be about the same thing.',
  values: {
    LINK: { description: 'They belong together.' },
    DONT_LINK: { description: 'They do not.' },
  } satisfies Record<LinkVerdict, { description: string }>,
});

const LinkCertaintyEnum = builder.enumType('LinkCertainty', {
  description: 'Whether both assessments said the same.',
  values: {
    HIGH: { description: 'Both agree.' },
    UNCERTAIN: { description: 'They differ: the more confident one decided.' },
  } satisfies Record<LinkCertainty, { description: string }>,
});

const LinkOutcomeEnum = builder.enumType('LinkOutcome', {
  description: 'Whether a decision about two threads was right.',
  values: {
    UNKNOWN: { description: 'Nothing has shown it.' },
    CORRECT: { description: 'It was.' },
    INCORRECT: { description: 'It was not.' },
  },
});

const LinkSignEnum = builder.enumType('LinkSign', {
  description: 'What showed whether a decision about two threads was right (seed 000 §2.4).',
  values: {
    RATED: { description: 'Somebody said so, by `rateLink`.' },
    CONTINUED: { description: 'Linked, and the user went on naturally.' },
    DENIED: { description: 'Linked, and the user said that something else was meant.' },
    SWITCHED_TOPIC: { description: 'Linked, and the user went on about something else.' },
    ASKED_BACK: { description: 'Not linked, and the user asked for the earlier talk.' },
    STARTED_AFRESH: { description: 'Not linked, and the user began a conversation of its own.' },
    NEW_TOPIC: { description: 'Not linked, and the user went on with a new topic.' },
  } satisfies Record<(typeof LINK_SIGNS)[number], { description: string }>,
});

export const LinkingSignalEnum = builder.enumType('LinkingSignal', {
  description: 'What can speak for two threads being about the same thing.',
  values: {
    KEYWORD: { value: 'keyword', description: 'Words that both use, rare ones more.' },
    ENTITY: { value: 'entity', description: 'Names, figures and times that both name.' },
    TOPIC: { value: 'topic', description: 'Nearness in meaning.' },
    RECENCY: { value: 'recency', description: 'How lately the earlier one was said.' },
    CONTINUATION: { value: 'continuation', description: 'It sounds like a continuation.' },
  } as const satisfies Record<
    Uppercase<LinkingSignal>,
    { value: LinkingSignal; description: string }
  >,
});

export const PartsType = builder.objectRef<LinkingParts>('LinkingParts').implement({
  description:
    'The parts of the algorithmic score (seed 000 §2.3), each 0-1; null where it cannot be computed: then the others count for more.',
  fields: (t) => ({
    keyword: t.exposeFloat('keyword', {
      nullable: true,
      description: 'Idf-weighted overlap of the words, calibrated to a chance.',
    }),
    entity: t.exposeFloat('entity', {
      nullable: true,
      description: 'Overlap of normalised names and figures, calibrated alike.',
    }),
    topic: t.exposeFloat('topic', {
      nullable: true,
      description: 'Nearness of the vectors, calibrated alike.',
    }),
    recency: t.exposeFloat('recency', {
      nullable: true,
      description: 'e^(−silence / window): 1 right after one another.',
    }),
  }),
});

export const WeightsType = builder.objectRef<LinkingWeights>('LinkingWeights').implement({
  description: 'How much each part of the score counts; they sum to 1.',
  fields: (t) => ({
    keyword: t.exposeFloat('keyword', { description: 'Of the words.' }),
    entity: t.exposeFloat('entity', { description: 'Of names and figures.' }),
    topic: t.exposeFloat('topic', { description: 'Of nearness in meaning.' }),
    recency: t.exposeFloat('recency', { description: 'Of how lately it was.' }),
  }),
});

export const LinkNode = builder.prismaNode('Link', {
  description:
    'The decision whether a thread belongs together with an earlier one, with all that it was made by (seed 000 §2.3).',
  id: { field: 'userId_id' },
  nullable: true,
  fields: (t) => ({
    thread: t.relation('thread', { description: 'The later thread.' }),
    earlierThread: t.relation('earlierThread', { description: 'The earlier thread.' }),
    turns: t.exposeInt('turns', {
      description: 'By how many of its first turns the later thread was judged.',
    }),
    algorithmicScore: t.exposeFloat('algorithmicScore', {
      description: 'The weighted mean of the parts, 0-1.',
    }),
    algorithmicRelated: t.exposeBoolean('algorithmicRelated', {
      description: 'Whether that is above the threshold.',
    }),
    algorithmicConfidence: t.exposeFloat('algorithmicConfidence', {
      description: 'Its distance from the threshold, scaled to 0-1.',
    }),
    parts: t.field({
      type: PartsType,
      description: 'The parts of that score.',
      resolve: (link) => link,
    }),
    leftOut: t.field({
      type: [LinkingSignalEnum],
      description: 'The parts that could not be computed.',
      resolve: (link) => algorithmicScore(link, link.weights as LinkingWeights).leftOut,
    }),
    reasonerRelated: t.exposeBoolean('reasonerRelated', {
      description: 'Whether the reasoner says that they belong together.',
    }),
    reasonerConfidence: t.exposeFloat('reasonerConfidence', {
      description: 'How sure the reasoner is of that, 0-1.',
    }),
    reasoning: t.exposeString('reasoning', {
      nullable: true,
      description: 'Why, in its words; null when words were forgotten that it may repeat.',
    }),
    keySignals: t.exposeStringList('keySignals', { description: 'What made it decide.' }),
    generatedBy: t.expose('generatedBy', { type: GeneratedByEnum, description: 'Who reasoned.' }),
    model: t.exposeString('model', {
      description: 'The language model, or the version of the built-in rules.',
    }),
    threshold: t.exposeFloat('threshold', { description: 'The threshold that was in force.' }),
    weights: t.field({
      type: WeightsType,
      description: 'The weights that were in force.',
      resolve: ({ weights }) => weights as LinkingWeights,
    }),
    agreement: t.boolean({
      description: 'Whether both assessments said the same.',
      resolve: ({ certainty }) => certainty === 'HIGH',
    }),
    certainty: t.expose('certainty', {
      type: LinkCertaintyEnum,
      description: 'How the decision came about.',
    }),
    verdict: t.expose('verdict', { type: LinkVerdictEnum, description: 'The decision.' }),
    fusedScore: t.exposeFloat('fusedScore', {
      description: 'Both assessments as one number, 0-1; above 0.5 is LINK.',
    }),
    joins: t.exposeBoolean('joins', {
      description: 'Whether it holds the two threads together now: a rating may undo a decision.',
    }),
    outcome: t.expose('outcome', {
      type: LinkOutcomeEnum,
      description: 'Whether the decision was right.',
    }),
    sign: t.expose('sign', {
      type: LinkSignEnum,
      nullable: true,
      description: 'What showed that; null while nothing has.',
    }),
    ratedAt: t.expose('ratedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When that showed.',
    }),
    decidedAt: t.expose('decidedAt', { type: 'DateTime', description: 'When it was decided.' }),
  }),
});

builder.prismaObjectFields('User', (t) => ({
  links: t.relatedConnection('links', {
    cursor: 'userId_id',
    description: 'Decisions whether threads belong together, the latest first.',
    args: {
      verdict: t.arg({ type: LinkVerdictEnum, description: 'Only these.' }),
      certainty: t.arg({ type: LinkCertaintyEnum, description: 'Only these.' }),
      outcome: t.arg({ type: LinkOutcomeEnum, description: 'Only these.' }),
    },
    query: ({ verdict, certainty, outcome }) => ({
      where: {
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
    cursor: 'userId_id',
    description: 'Decisions whether it belongs together with earlier threads, the likeliest first.',
    query: { orderBy: [{ fusedScore: 'desc' }, { id: 'desc' }] },
  }),
}));

builder.mutationField('rateLink', (t) =>
  t.prismaField({
    type: 'Link',
    description:
      'Says whether a decision about two threads was right. INCORRECT undoes it: threads that were linked are parted, others are linked. UNKNOWN takes a rating back.',
    errors: { types: [InvalidInput, NotFound] },
    args: {
      userId: t.arg.string({ description: 'Under an API key: whose memory.' }),
      linkId: t.arg.id({ required: true, description: 'The `id` of the link.' }),
      outcome: t.arg({
        type: LinkOutcomeEnum,
        required: true,
        description: 'Whether it was right.',
      }),
    },
    resolve: async (query, _root, { userId, linkId, outcome }, { app, viewer, prisma }) => {
      const owner = userOf(viewer, userId);
      const id = localId('Link', owner, linkId);
      await rateLink(app, owner, id, outcome);
      return prisma.link.findUniqueOrThrow({
        ...query,
        where: { userId_id: { userId: owner, id } },
      });
    },
  }),
);
