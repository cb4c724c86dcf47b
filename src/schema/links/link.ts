import { InvalidInput, NotFound } from '../../domain/core/errors.ts';
import {
  algorithmicScore,
  type LinkingParts,
  type LinkingWeights,
} from '../../domain/links/linking.ts';
import { rateLink } from '../../remember/links/rate-link.ts';
import { builder } from '../core/builder.ts';
import { describeOwner } from '../core/owner-argument.ts';
import { localId, userOf } from '../core/request-context.ts';
import { jsonOf } from '../core/rows.ts';
import { GeneratedByEnum } from '../core/scalars.ts';
import {
  LinkCertaintyEnum,
  LinkingSignalEnum,
  LinkOutcomeEnum,
  LinkSignEnum,
  LinkVerdictEnum,
} from './link-enums.ts';

export const PartsType = builder.objectRef<LinkingParts>('LinkingParts').implement({
  description:
    'The parts of the algorithmic score, each by one measure alone, 0-1. `keyword`, `entity` and `topic` say how likely it ' +
    'is that the threads belong together, `recency` how soon one followed the other. A part that cannot be computed is ' +
    'null, and the others count for more.',
  fields: (t) => ({
    keyword: t.exposeFloat('keyword', {
      nullable: true,
      description:
        'By the words that both threads use, where rare words count more; null if one of the threads has too few words that ' +
        'say something about a subject.',
    }),
    entity: t.exposeFloat('entity', {
      nullable: true,
      description:
        'By the names, numbers and words of time that both threads mention; a bare number of one or two digits does not count. ' +
        'Null if they share no word of time and one of them has no such name or number.',
    }),
    topic: t.exposeFloat('topic', {
      nullable: true,
      description:
        'By the semantic similarity (cosine) of their turns; null if one of the threads has no compared turn with a vector.',
    }),
    recency: t.exposeFloat('recency', {
      nullable: true,
      description:
        'How soon the later thread began after the last turn that the earlier one had by then: e^(−silence ÷ ' +
        'LINKING_RECENT_HOURS). 1 without silence, 0.37 after that many hours, null after more than twice as many.',
    }),
  }),
});

export const WeightsType = builder.objectRef<LinkingWeights>('LinkingWeights').implement({
  description:
    'The weights of the parts of the algorithmic score; apart from rounding, they sum to 1.',
  fields: (t) => ({
    keyword: t.exposeFloat('keyword', { description: 'The weight of `LinkingParts.keyword`.' }),
    entity: t.exposeFloat('entity', {
      description: 'The weight of `LinkingParts.entity`.',
    }),
    topic: t.exposeFloat('topic', { description: 'The weight of `LinkingParts.topic`.' }),
    recency: t.exposeFloat('recency', { description: 'The weight of `LinkingParts.recency`.' }),
  }),
});

export const LinkNode = builder.prismaNode('Link', {
  description:
    'The decision on whether a thread belongs with an earlier one, with what led to it: an assessment by an algorithm, and ' +
    'one by the reasoner, which is a language model or the built-in rules.',
  id: {
    field: 'userId_id',
    description: 'Global id of the link decision. Pass it to `node`, or as `linkId` to `rateLink`.',
  },
  nullable: true,
  fields: (t) => ({
    thread: t.relation('thread', {
      description: 'Of the two threads, the one that had begun later when the decision was made.',
    }),
    earlierThread: t.relation('earlierThread', {
      description: 'Of the two threads, the one that had begun first when the decision was made.',
    }),
    turns: t.exposeInt('turns', {
      description:
        "How many of the later thread's first turns the decision considered. The pair may be assessed again, mostly as that " +
        'thread grows or ends: another verdict then replaces this decision, unless its outcome is known.',
    }),
    algorithmicScore: t.exposeFloat('algorithmicScore', {
      description:
        'The algorithmic score: the weighted mean of those `parts` that are not null, 0-1; 0 if all are null.',
    }),
    algorithmicRelated: t.exposeBoolean('algorithmicRelated', {
      description: 'Whether `algorithmicScore` is above `threshold`.',
    }),
    algorithmicConfidence: t.exposeFloat('algorithmicConfidence', {
      description:
        'How far `algorithmicScore` is from `threshold`: 0 at the threshold, 1 at a score of 0 or 1.',
    }),
    parts: t.field({
      type: PartsType,
      description: 'The parts of the algorithmic score.',
      resolve: (link) => link,
    }),
    leftOut: t.field({
      type: [LinkingSignalEnum],
      description: 'Parts that could not be computed and were left out of the score.',
      resolve: (link) => algorithmicScore(link, jsonOf<LinkingWeights>(link.weights)).leftOut,
    }),
    reasonerRelated: t.exposeBoolean('reasonerRelated', {
      description:
        "Whether the reasoner considers the threads related. The algorithm's answer is `algorithmicRelated`.",
    }),
    reasonerConfidence: t.exposeFloat('reasonerConfidence', {
      description:
        "The reasoner's confidence in its answer, 0-1. At 0.5 or less it counts as undecided, as an `algorithmicConfidence` of 0 does.",
    }),
    reasoning: t.exposeString('reasoning', {
      nullable: true,
      description:
        "The reasoner's explanation; null if it might repeat words that were forgotten since.",
    }),
    keySignals: t.exposeStringList('keySignals', {
      description:
        'What the reasoner named as decisive. The built-in rules give names of signals, such as "keyword", if they consider ' +
        'the threads related; a model describes what decided in a few words each. May be empty, and is so if `reasoning` is ' +
        'null.',
    }),
    generatedBy: t.expose('generatedBy', {
      type: GeneratedByEnum,
      description:
        'Whether the reasoner that assessed the threads was the built-in rules or a model.',
    }),
    model: t.exposeString('model', {
      description:
        'The language model that was the reasoner, or the version of the built-in rules.',
    }),
    threshold: t.exposeFloat('threshold', {
      description:
        'The score above which the algorithm considers threads related, as set when the decision was made.',
    }),
    weights: t.field({
      type: WeightsType,
      description: 'The weights that were in force for this decision.',
      resolve: ({ weights }) => jsonOf<LinkingWeights>(weights),
    }),
    agreement: t.boolean({
      description:
        'Whether the algorithm and the reasoner agreed, which is the case exactly if `certainty` is HIGH.',
      resolve: ({ certainty }) => certainty === 'HIGH',
    }),
    certainty: t.expose('certainty', {
      type: LinkCertaintyEnum,
      description: 'HIGH if both assessments agree, UNCERTAIN if the more confident one decided.',
    }),
    verdict: t.expose('verdict', {
      type: LinkVerdictEnum,
      description:
        'The decision from both assessments. A later outcome does not change it, but may change `joins`.',
    }),
    fusedScore: t.exposeFloat('fusedScore', {
      description:
        'Both assessments combined into one number, 0-1; above 0.5 exactly when the verdict is LINK.',
    }),
    joins: t.exposeBoolean('joins', {
      description:
        'Whether this decision joins the two threads now: as the verdict says or, if `outcome` is INCORRECT and `sign` is ' +
        'RATED, DENIED or ASKED_BACK, the opposite. Other decisions can still join them through further threads.',
    }),
    outcome: t.expose('outcome', {
      type: LinkOutcomeEnum,
      description: 'Whether the decision turned out to be right.',
    }),
    sign: t.expose('sign', {
      type: LinkSignEnum,
      nullable: true,
      description: 'The evidence for `outcome`; null while it is UNKNOWN.',
    }),
    ratedAt: t.expose('ratedAt', {
      type: 'DateTime',
      nullable: true,
      description:
        'When the outcome was found in the conversation, or last given by `rateLink`; null while it is UNKNOWN.',
    }),
    decidedAt: t.expose('decidedAt', {
      type: 'DateTime',
      description:
        'When this decision was made. A repeated assessment with the same verdict does not change it, unless a turn was ' +
        'forgotten in between.',
    }),
  }),
});

builder.mutationField('rateLink', (t) =>
  t.prismaField({
    type: 'Link',
    description:
      'Records by hand whether a link decision was right. INCORRECT reverses it: linked threads are separated (unless other ' +
      'links join them), others are linked. UNKNOWN removes the recorded outcome, even one found from the conversation, and ' +
      'the verdict holds again.',
    errors: { types: [InvalidInput, NotFound] },
    args: {
      userId: t.arg.string({
        description: describeOwner('The user whose link decision is rated'),
      }),
      linkId: t.arg.id({ required: true, description: 'The `id` of the link decision.' }),
      outcome: t.arg({
        type: LinkOutcomeEnum,
        required: true,
        description:
          'CORRECT or INCORRECT replaces any outcome that is already known; UNKNOWN removes it.',
      }),
    },
    resolve: async (query, _root, { userId, linkId, outcome }, { app, viewer, prisma }) => {
      const owner = userOf(viewer, userId);
      const id = localId('Link', owner, linkId);
      await rateLink(app, owner, { linkId: id, outcome });
      return prisma.link.findUniqueOrThrow({
        ...query,
        where: { userId_id: { userId: owner, id } },
      });
    },
  }),
);
