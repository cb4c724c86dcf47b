import type {
  Disagreements,
  LinkingMetrics,
  ThresholdRates,
} from '../../domain/links/linking-metrics.ts';
import { builder } from '../core/builder.ts';

export const MetricsType = builder.objectRef<LinkingMetrics>('LinkingMetrics').implement({
  description:
    'How accurate link decisions are. All figures are 0-1; a figure is 0 if there is no decision to compute it from.',
  fields: (t) => ({
    accuracy: t.exposeFloat('accuracy', {
      description: 'The share of all decisions that are right.',
    }),
    precision: t.exposeFloat('precision', {
      description: 'Of the pairs that were linked, the share that belongs together.',
    }),
    recall: t.exposeFloat('recall', {
      description: 'Of the related pairs, the share that was linked.',
    }),
    f1: t.exposeFloat('f1', { description: 'The harmonic mean of precision and recall.' }),
    falsePositiveRate: t.exposeFloat('falsePositiveRate', {
      description: 'Of the unrelated pairs, the share that was linked.',
    }),
    falseNegativeRate: t.exposeFloat('falseNegativeRate', {
      description: 'Of the related pairs, the share that was not linked.',
    }),
  }),
});

export const RatesType = builder.objectRef<ThresholdRates>('ThresholdRates').implement({
  description:
    'How often the algorithm, without the reasoner, would be wrong about links at one threshold.',
  fields: (t) => ({
    threshold: t.exposeFloat('threshold', {
      description: 'The threshold for which these rates were computed.',
    }),
    falsePositiveRate: t.exposeFloat('falsePositiveRate', {
      description: 'The share of unrelated pairs whose score is above the threshold.',
    }),
    falseNegativeRate: t.exposeFloat('falseNegativeRate', {
      description: 'The share of related pairs whose score is not above the threshold.',
    }),
  }),
});

export const DisagreementsType = builder
  .objectRef<Disagreements>('LinkingDisagreements')
  .implement({
    description:
      'How often the algorithm and the reasoner differed in rated decisions (those whose outcome is known), and how often each ' +
      'of them was then right.',
    fields: (t) => ({
      count: t.exposeInt('count', {
        description: 'In how many decisions the algorithm and the reasoner differed.',
      }),
      algorithmRight: t.exposeInt('algorithmRight', {
        description: 'How many decisions the algorithm got right, of those where the two differed.',
      }),
      reasonerRight: t.exposeInt('reasonerRight', {
        description: 'How many decisions the reasoner got right, of those where the two differed.',
      }),
    }),
  });
