// Written by npm run fit:worth; do not edit by hand.

/**
 * A logistic regression over the features of worth.ts; at the threshold `notabilityMin` of capture. Fitted on 10 people and
 * labelled captures; with each person left out, 0.954 of what is worth an episode is taken, and 0.162 of what is taken is not.
 */
export const WORTH_WEIGHTS = {
  intercept: -2,
  weights: [
    0.829, 1.55, 2.08, 0.282, -1.95, -6.57, -2.06, 1.39, 0.51, -1.21, 1.17, 1.93, -1.28, -2.4,
  ],
} as const;
