import type { CandidateFact, StoredFact } from '../../../src/domain/facts/fact.ts';
import { readFacts } from '../../../src/reasoner/extractive/extract-facts.ts';
import type { Role } from '../../../src/shared/role.ts';

/** A turn's words, the user's unless a role is given. */
export type Said = string | readonly [Role, string];

const turn = (said: Said) => ({
  role: typeof said === 'string' ? ('USER' as const) : said[0],
  speaker: null,
  text: typeof said === 'string' ? said : said[1],
  occurredAt: new Date('2025-04-01T10:00:00Z'),
});

/** What is learned from a talk. */
export const extract = (
  talk: readonly Said[],
  known: StoredFact[] = [],
  contextTurns = 0,
): CandidateFact[] => readFacts({ turns: talk.map(turn), contextTurns, known }).facts;

/** A fact in a line: "+ profile:city = Rome". */
export const brief = ({ polarity, key, category, value }: CandidateFact) =>
  `${polarity === 'NEGATIVE' ? '-' : '+'} ${key ?? category} = ${value}`;

/** What is learned from a talk, in lines. */
export const facts = (...talk: Said[]) => extract(talk).map(brief);
