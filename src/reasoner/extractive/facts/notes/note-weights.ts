// Written by npm run fit:notes; do not edit by hand.

/**
 * A logistic regression over the features of note-features.ts. Fitted on 11 files: figures for them have to be
 * cross-validated, which gave {"notes":198,"precision":0.672,"recall":0.538,"wrong":14,"besideStatements":1}
 */
export const NOTE_WEIGHTS = {
  intercept: -2.294,
  weights: [
    0.533, // standing
    0.532, // change
    0.171, // negation
    0.449, // decision
    0.588, // courtesy
    0.191, // style
    0.538, // fleeting
    0.344, // report
    -0.65, // request
    0.409, // season
    1.163, // naming
    0.84, // health
    0.105, // taste
    -0.136, // doubt
    0.431, // order
    -0.785, // question
    0.509, // also
    0.539, // colon
    0.488, // exclamation
    0.775, // length
    -0.518, // short
    -0.213, // last
    0.327, // answer
    0.665, // commas
    0.269, // speakerNegation
    0.875, // orderedStyle
    1.318, // ownKin
    -0.225, // speakerDoubt
    -0.378, // othersReport
  ],
};
