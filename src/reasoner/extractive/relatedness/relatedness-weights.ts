import type { RelatednessFeature } from './relatedness-features.ts';

type Weights = { intercept: number } & Partial<Record<RelatednessFeature, number>>;

/**
 * The weight of the feature `continuation`. Set by hand: the pairs below are cut from continuous talk, in which openers
 * distinguish related pairs no better than chance.
 */
const CONTINUATION = 3.2;

/**
 * Logistic regressions by `npm run fit:relatedness`, on 3,168 pairs cut from the development halves of TIAGE and DialSeg711
 * (`eval:linking`) and 114 labelled pairs of conversations of ten people days apart (eval:chats). Each
 * of the three sets has the same weight, and negatives weigh 1.15 times. Cross-validated over dialogues and people, ten folds: AUC
 * 0.867, 0.859 and 0.889 with the built-in embedder's vectors, 0.782, 0.846 and 0.890 on words alone.
 */
export const RELATEDNESS_WEIGHTS: { withVectors: Weights; wordsOnly: Weights } = {
  withVectors: {
    intercept: -1.4533,
    centroid: 7.2772,
    chamfer: -3.9951,
    opening: 2.9663,
    overlap: 27.7547,
    shared: -2.1489,
    entities: 0.635,
    threadLength: -0.4485,
    messageLength: -0.5645,
    continuation: CONTINUATION,
  },
  wordsOnly: {
    intercept: 0.1161,
    overlap: 36.0067,
    shared: -1.4956,
    entities: 0.6607,
    threadLength: -0.2464,
    messageLength: -0.3709,
    continuation: CONTINUATION,
  },
};
