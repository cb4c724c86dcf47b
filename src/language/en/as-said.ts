/** A statement of a fact without the words of its form: "The user lives in Oslo." says no more than "I live in Oslo.". */
export const asSaid = (statement: string): string =>
  statement
    .replace(/^The user (?!is\b|was\b|has\b|does\b)(\w+)s\b/, '$1')
    .replace(/\bthe user\b(?:'s\b)?/gi, ' ');
