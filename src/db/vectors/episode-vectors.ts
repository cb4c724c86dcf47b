import type { Statement } from '../core/database.ts';
import { pendingBy, saveBy } from './pending-vectors.ts';

const PENDING: Statement = {
  name: 'episode-vectors-pending',
  text: `
SELECT e.id, concat_ws('. ', e.title, e.summary) AS text FROM episodes e
WHERE e.user_id = $1 AND (e.title IS NOT NULL OR e.summary IS NOT NULL) AND NOT EXISTS (
  SELECT FROM episode_vectors v WHERE v.user_id = $1 AND v.episode_id = e.id AND v.embedder = $2)
ORDER BY e.id LIMIT $3`,
};

/** Described episodes that have no vector by an embedder. */
export const pending = pendingBy(PENDING);

/** What was said in a segment is the sum of its turns' vectors, where they are there. */
const SAVE: Statement = {
  name: 'episode-vectors-save',
  text: `
INSERT INTO episode_vectors (user_id, episode_id, embedder, embedding, said)
SELECT $1, e.id, $2, made.embedding::halfvec, (
  SELECT sum(v.embedding) FROM turns t JOIN turn_vectors v ON v.user_id = t.user_id AND v.turn_id = t.id AND v.embedder = $2
  WHERE t.user_id = $1 AND t.thread_id = e.thread_id AND t.number BETWEEN e.first_turn AND e.last_turn
    AND t.role NOT IN ('TOOL', 'SYSTEM') AND e.kind = 'SEGMENT')
FROM json_to_recordset($3::json) AS made(id int, text text, embedding text)
JOIN episodes e ON e.user_id = $1 AND e.id = made.id AND concat_ws('. ', e.title, e.summary) = made.text
ON CONFLICT DO NOTHING`,
};

/** Stores vectors of episodes, but for those that were told anew meanwhile. */
export const save = saveBy(SAVE);
