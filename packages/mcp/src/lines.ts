import type { FactFragment, TurnFragment } from './generated/graphql.ts';
import { plain } from './text.ts';
import { day, minute } from './zone.ts';

export const speakerOf = ({ speaker, role }: Pick<TurnFragment, 'speaker' | 'role'>): string =>
  plain(speaker ?? '') || role.toLowerCase();

/** A turn on one line. */
export const turnLine = (turn: TurnFragment, zone: string): string =>
  `- ${minute(turn.occurredAt, zone)} ${speakerOf(turn)}: ${plain(turn.text)} [${turn.id}]`;

/** What a fact says. The sentence of a denied one may leave out that it is denied. */
export const statementOf = ({ statement, polarity }: FactFragment): string =>
  polarity === 'NEGATIVE' ? `${statement} (negative)` : statement;

/** A fact as data. */
export const factData = (fact: FactFragment) => ({
  id: fact.id,
  statement: fact.statement,
  category: fact.category,
  key: fact.key ?? null,
  ...(fact.polarity === 'NEGATIVE' ? { negative: true } : {}),
  from: fact.validFrom,
  to: fact.validTo ?? null,
  known_since: fact.recordedAt,
});

/** A fact on one line, with its key and when it held. */
export function factLine(fact: FactFragment, zone: string): string {
  const until = fact.validTo ? ` to ${day(fact.validTo, zone)}` : '';
  const marks = [fact.retractedAt ? ', retracted' : '', fact.pinned ? ', pinned' : ''].join('');
  const negative = fact.polarity === 'NEGATIVE' ? ', negative' : '';
  const key = fact.key ? `, key ${plain(fact.key)}` : '';
  const kind = `${fact.category.toLowerCase()}${negative}${key}`;
  return `- ${plain(fact.statement)} (${kind}, from ${day(fact.validFrom, zone)}${until}${marks}) [${fact.id}]`;
}
