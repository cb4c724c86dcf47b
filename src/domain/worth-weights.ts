// Written by npm run fit:worth; do not edit by hand.

/**
 * A logistic regression over the features of worth.ts; at the threshold `notabilityMin` of capture. Fitted on 10 people and
 * labelled captures; with each person left out, 0.943 of what is worth an episode is taken, and 0.191 of what is taken is not.
 */
export const WORTH_WEIGHTS = {
  intercept: -1.636,
  weights: [
    0.7075, 1.462, 2.297, 0.276, -1.653, -6.207, -2.506, 1.449, 0.5025, -1.558, 1.281, 1.895,
  ],
} as const;
