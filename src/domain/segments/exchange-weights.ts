// Written by npm run fit:exchanges; do not edit by hand.

/**
 * Logistic regressions over the features of exchange-boundaries.ts, and the log odds from which on a gap is cut.
 * Fitted on 10 people; F1 with each person left out: withVectors 0.773, wordsOnly 0.717.
 */
export const EXCHANGE_WEIGHTS = {
  withVectors: {
    threshold: -1.1,
    model: {
      intercept: -2.121,
      weights: [0.919, -2.435, 0.6638, 3.435, 1.938, -1.087, -1.045, 0.8599, -3.052],
    },
  },
  wordsOnly: {
    threshold: -1.35,
    model: {
      intercept: -1.64,
      weights: [1.043, -2.714, 0.5799, 3.416, 2.83, -1.633, -1.004, 0.5931, 0],
    },
  },
} as const;
