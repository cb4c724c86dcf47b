import { DateTime } from 'luxon';
import type { HeldFact } from '../../reasoner.ts';
import { fence, writeItems } from './prompt.ts';

type Person = { name: string | null; timeZone: string };

/** What a prompt says of dates. */
export const DATES =
  'Times are those of the person\'s time zone. Write dates out: turn "tomorrow" or "on Thursday" into a date, counted from the day before the text.';

/** The day by a person's clock. */
export const dayIn = (at: Date, { timeZone }: Person): string =>
  DateTime.fromJSDate(at, { zone: timeZone }).toISODate() ?? at.toISOString().slice(0, 10);

/** Who it is about, and what is known of them. */
export const writePerson = (
  person: Person,
  facts: readonly HeldFact[],
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
