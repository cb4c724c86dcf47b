import { STEPS } from '../../../pipeline.ts';
import type { Embed } from '../kind.ts';

export const embed: Embed = {
  step: STEPS.embedEpisodes,
  table: 'episode_vectors',
  beside: {
    said: `(
  SELECT sum(v.embedding) FROM turns t CROSS JOIN LATERAL (
    SELECT embedding FROM turn_vectors WHERE user_id = $1 AND turn_id = t.id AND embedder = $2 OFFSET 0) AS v
  WHERE t.user_id = $1 AND t.thread_id = e.thread_id AND t.number BETWEEN e.first_turn AND e.last_turn
    AND t.role NOT IN ('TOOL', 'SYSTEM') AND e.kind = 'SEGMENT')`,
  },
};
