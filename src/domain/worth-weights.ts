// Written by npm run fit:worth; do not edit by hand.

/**
 * A logistic regression over the features of worth.ts; at the threshold `notabilityMin` of capture. Fitted on 10 people and
 * labelled captures; with each person left out, 0.943 of what is worth an episode is taken, and 0.198 of what is taken is not.
 */
export const WORTH_WEIGHTS = {
  intercept: -1.56,
  weights: [0.722, 1.48, 2.27, 0.219, -1.77, -6.31, -2.57, 1.46, 0.514, -1.55, 1.27, 1.74],
} as const;
