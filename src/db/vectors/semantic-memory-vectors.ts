import type { Statement } from '../core/database.ts';
import { pendingBy, saveBy } from './pending-vectors.ts';

const PENDING: Statement = {
  name: 'semantic-memory-vectors-pending',
  text: `
SELECT m.id, m.summary AS text FROM semantic_memories m
WHERE m.user_id = $1 AND m.summary IS NOT NULL AND NOT EXISTS (
  SELECT FROM semantic_memory_vectors v WHERE v.user_id = $1 AND v.semantic_memory_id = m.id AND v.embedder = $2)
ORDER BY m.id LIMIT $3`,
};

/** Semantic memories that have no vector by an embedder. */
export const pending = pendingBy(PENDING);

const SAVE: Statement = {
  name: 'semantic-memory-vectors-save',
  text: `
INSERT INTO semantic_memory_vectors (user_id, semantic_memory_id, embedder, embedding)
SELECT $1, m.id, $2, made.embedding::halfvec
FROM json_to_recordset($3::json) AS made(id int, text text, embedding text)
JOIN semantic_memories m ON m.user_id = $1 AND m.id = made.id AND m.summary = made.text
ON CONFLICT DO NOTHING`,
};

/** Stores vectors of semantic memories, but for those that were told anew meanwhile. */
export const save = saveBy(SAVE);
