import type { Statement } from '../core/database.ts';
import { pendingBy, saveBy } from './pending-vectors.ts';

const TEXT = `k.name || ': ' || k.description`;

/** A skill is found again by its episode and its text. */
const PENDING: Statement = {
  name: 'skill-vectors-pending',
  text: `
SELECT k.episode_id AS id, ${TEXT} AS text FROM skills k
WHERE k.user_id = $1 AND NOT EXISTS (
  SELECT FROM skill_vectors v WHERE v.user_id = $1 AND v.episode_id = k.episode_id AND v.skill_number = k.number
    AND v.embedder = $2)
ORDER BY k.episode_id, k.number LIMIT $3`,
};

/** Skills that have no vector by an embedder. */
export const pending = pendingBy(PENDING);

const SAVE: Statement = {
  name: 'skill-vectors-save',
  text: `
INSERT INTO skill_vectors (user_id, episode_id, skill_number, embedder, embedding)
SELECT $1, k.episode_id, k.number, $2, made.embedding::halfvec
FROM json_to_recordset($3::json) AS made(id int, text text, embedding text)
JOIN skills k ON k.user_id = $1 AND k.episode_id = made.id AND ${TEXT} = made.text
ON CONFLICT DO NOTHING`,
};

/** Stores vectors of skills, but for those that were told anew meanwhile. */
export const save = saveBy(SAVE);
