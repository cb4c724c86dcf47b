import { DateTime } from 'luxon';
import type { Person, ValidFact } from '../../reasoner.ts';
import { fence, writeItems } from './prompt.ts';

/** The rule for dates in prompts. */
export const DATES =
  "Times are those of the person's time zone, unless they say UTC. Write dates out: turn " +
  '"tomorrow" or "on Thursday" into a date, counted from the day before the text.';

/** Returns the date in a person's time zone, such as "2026-03-02". */
export const dayIn = (at: Date, { timeZone }: Person): string =>
  DateTime.fromJSDate(at, { zone: timeZone }).toISODate() ?? at.toISOString().slice(0, 10);

/** Writes the person's name and time zone, and the facts that are known about them. */
export const writePerson = (
  person: Person,
  facts: readonly ValidFact[],
  tokens: number,
): string[] => [
  fence('person', `Name: ${person.name ?? '(not known)'}\nTime zone: ${person.timeZone}`),
  fence(
    'facts',
    facts.length === 0
      ? '(none)'
      : writeItems(
          facts.map(
            ({ category, statement, validFrom }) =>
              `${category}, since ${dayIn(validFrom, person)}: ${statement}`,
          ),
          tokens,
        ),
  ),
];
