import type { EventDraft } from '../../domain/core/event.ts';
import type { Statement, Tx } from '../core/database.ts';

// Not in the store: a step records its events with its unit of work (`memory.record`), which appends them with the commit.
// Only `remember` stores its events itself, together with its turns (db/turns/remember.ts).

/** Without the user's row, the number is null, which the table refuses. On Citus it needs RETURNING. */
const APPEND: Statement = {
  name: 'events-append',
  text: `
WITH drafts AS (
  SELECT row_number() OVER () AS place, d.* FROM json_to_recordset($2::json) AS d(kind "EventKind", "threadId" int,
    "episodeId" int, "factId" int, "firstTurnId" int, "lastTurnId" int, decision text, details jsonb)
), numbered AS (
  UPDATE users SET last_event = last_event + (SELECT count(*) FROM drafts) WHERE user_id = $1 RETURNING last_event
)
INSERT INTO memory_events (user_id, number, kind, at, thread_id, episode_id, fact_id, first_turn_id, last_turn_id, decision,
  details)
SELECT $1, last_event - (SELECT count(*) FROM drafts) + place, kind, $3, "threadId", "episodeId", "factId", "firstTurnId",
  "lastTurnId", decision, details
FROM drafts LEFT JOIN numbered ON true
RETURNING number`,
};

/** Appends events under the next numbers, which locks the user's row until the commit. Without that row it fails. */
export const append = (tx: Tx, events: readonly EventDraft[], at: Date): Promise<object[]> =>
  tx.query(APPEND, [tx.userId, JSON.stringify(events), at]);
