/** The name of the built-in reasoner with the version of its rules, stored beside its results. */
export const EXTRACTIVE = 'extractive/1';
