import { objectOfTaste } from '../../language/en/taste-object.ts';
import type { FactCategory } from './fact.ts';

type DeniableFact = {
  category: FactCategory;
  polarity: 'POSITIVE' | 'NEGATIVE';
  value: string;
  validFrom: Date;
  /** Where it is true; null = everywhere. */
  scope?: string | null;
};

const TASTES: ReadonlySet<FactCategory> = new Set(['PREFERENCE', 'INTEREST']);
/** Leaves out preferences and interests that a later statement denies, so that they are never presented as preferences. */
export function withoutNegated<Fact extends DeniableFact>(
  facts: readonly Fact[],
  denials: readonly DeniableFact[] = facts,
): Fact[] {
  const denied = new Map<string, Date>();
  for (const { category, polarity, value, validFrom, scope = null } of denials) {
    if (polarity !== 'NEGATIVE' || scope !== null || !TASTES.has(category)) continue;
    const object = objectOfTaste(value);
    const before = denied.get(object);
    if (!before || before < validFrom) denied.set(object, validFrom);
  }
  return facts.filter(({ category, polarity, value, validFrom }) => {
    if (polarity === 'NEGATIVE' || !TASTES.has(category)) return true;
    const since = denied.get(objectOfTaste(value));
    return !since || validFrom > since;
  });
}
