/** The built-in reasoner and the version of its rules: it stands beside what they made. */
export const EXTRACTIVE = 'extractive/1';
