// Written by npm run fit:worth; do not edit by hand.

/**
 * A logistic regression over the features of worth.ts; at the threshold `notabilityMin` of capture. Fitted on 10 people and
 * labelled captures; with each person left out, 0.954 of what is worth an episode is taken, and 0.197 of what is taken is not.
 */
export const WORTH_WEIGHTS = {
  intercept: -1.581,
  weights: [
    0.7236, 1.462, 2.302, 0.2755, -1.64, -6.213, -2.505, 1.453, 0.5055, -1.622, 1.277, 1.887,
  ],
} as const;
