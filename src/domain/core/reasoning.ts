/** What made a text: the built-in rules or a language model. */
export const GENERATORS = ['EXTRACTIVE', 'MODEL'] as const;
export type GeneratedBy = (typeof GENERATORS)[number];

/** The language steps. Models and temperatures are set, and usage is counted, for each of them. */
export const REASONER_STEPS = [
  'describe-segment',
  'find-boundaries',
  'judge-surprise',
  'assess-relatedness',
  'extract-facts',
  'same-fact',
  'compact',
  'summarize-episodes',
  'synthesize-profile',
  'rate-retrieved',
] as const;
export type ReasonerStep = (typeof REASONER_STEPS)[number];
