import type { Statement } from '../../core/database.ts';
import type { Kind } from '../kind.ts';

/** The turns that are forgotten. $2 is what is forgotten: the user, a thread or a memory of a kind; $3 its number. */
export function forgottenTurns(kinds: readonly Kind[]): Statement {
  const targets = kinds.flatMap(({ name, erase }) =>
    erase.turnsOf ? `$2 = '${name.toLowerCase()}' AND ${erase.turnsOf}` : [],
  );
  return {
    name: 'forget-turns',
    text: `
SELECT t.id FROM turns t WHERE t.user_id = $1
  AND ($2::text = 'user' OR $2 = 'thread' AND t.thread_id = $3::int OR ${targets.join('\n  OR ')})`,
  };
}
