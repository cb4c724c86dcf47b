import type { CandidateFact } from '../../domain/fact.ts';
import { isPhoneNumber } from '../../domain/phone-number.ts';
import type { Utterance } from '../reasoner.ts';
import { capForFacts } from './cap-for-facts.ts';
import { capText } from './cap-input.ts';
import { extractFacts } from './extract-facts.ts';
import { EXTRACTIVE } from './name.ts';

/** Reads facts off a turn by itself, at once. */
export type FactPatterns = {
  /** The version of the rules. */
  name: string;
  read(turn: Pick<Utterance, 'role' | 'text' | 'occurredAt' | 'speaker'>): CandidateFact[];
};

/** What a turn states without the ones before it: how to reach the person, their names, what they deny. */
const AT_ONCE = /^profile:(?:email|phone|website|name|full_name|nickname)$/;

export const factPatterns: FactPatterns = {
  name: EXTRACTIVE,
  read: ({ role, text, occurredAt, speaker }) =>
    extractFacts({
      turns: capForFacts([{ role, text: capText(text), occurredAt, speaker }]),
      contextTurns: 0,
      known: [],
    })
      .facts.filter(({ key, polarity }) => polarity === 'NEGATIVE' || AT_ONCE.test(key ?? ''))
      .filter(({ key, value }) => key !== 'profile:phone' || isPhoneNumber(value)),
};
