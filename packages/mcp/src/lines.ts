import type { FactFragment, TurnFragment } from './generated/graphql.ts';
import { day, minute, plain } from './text.ts';

export const speakerOf = ({ speaker, role }: Pick<TurnFragment, 'speaker' | 'role'>): string =>
  plain(speaker ?? '') || role.toLowerCase();

/** A turn on one line. */
export const turnLine = (turn: TurnFragment): string =>
  `- ${minute(turn.occurredAt)} ${speakerOf(turn)}: ${plain(turn.text)} [${turn.id}]`;

/** A fact as data. */
export const factData = (fact: FactFragment) => ({
  id: fact.id,
  statement: fact.statement,
  category: fact.category,
  key: fact.key ?? null,
  from: fact.validFrom,
  to: fact.validTo ?? null,
  known_since: fact.recordedAt,
});

/** A fact on one line, with when it held. */
export function factLine(fact: FactFragment): string {
  const until = fact.validTo ? ` to ${day(fact.validTo)}` : '';
  const marks = [fact.retractedAt ? ', retracted' : '', fact.pinned ? ', pinned' : ''].join('');
  const kind = fact.category.toLowerCase();
  return `- ${plain(fact.statement)} (${kind}, from ${day(fact.validFrom)}${until}${marks}) [${fact.id}]`;
}
