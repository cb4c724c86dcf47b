// Written by npm run fit:worth; do not edit by hand.

/**
 * A logistic regression over the features of worth.ts; at the threshold `notabilityMin` of capture. Fitted on 10 people and
 * labelled captures; with each person left out, 0.954 of what is worth an episode is taken, and 0.197 of what is taken is not.
 */
export const WORTH_WEIGHTS = {
  intercept: -1.58,
  weights: [0.724, 1.46, 2.3, 0.276, -1.64, -6.21, -2.5, 1.45, 0.505, -1.62, 1.28, 1.89],
} as const;
