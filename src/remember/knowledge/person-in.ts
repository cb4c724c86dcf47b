import type { ProfileMaterial as Material } from '../../db/knowledge/profiles.ts';
import { withoutNegated } from '../../domain/facts/negated.ts';

/** The person that facts are about, and the facts in the form that a reasoner reads. */
export function personIn(facts: Material['facts'], timeZone: string | null) {
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
