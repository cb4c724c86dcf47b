import type { ProfileMaterial as Material } from '../../db/knowledge/profiles.ts';
import { withoutNegated } from '../../domain/facts/negated.ts';
import type { Person, ValidFact } from '../../reasoner/reasoner.ts';

/** A person, and the facts about them, as a reasoner reads both. */
export type PersonAndFacts = { person: Person; facts: ValidFact[] };

export function personIn(facts: Material['facts'], timeZone: string | null): PersonAndFacts {
  const named = facts.find(
    ({ key, polarity }) => key === 'profile:name' && polarity === 'POSITIVE',
  );
  return {
    person: { name: named?.value ?? null, timeZone: timeZone ?? 'UTC' },
    facts: withoutNegated(facts).map(({ category, key, statement, validFrom }) => ({
      category,
      key,
      statement,
      validFrom,
    })),
  };
}
