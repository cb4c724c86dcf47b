import { STEPS } from '../../../pipeline.ts';
import type { Embed } from '../kind.ts';

export const embed: Embed = {
  step: STEPS.embedEpisodes,
  table: 'episode_vectors',
  beside: {
    said: `(
  SELECT sum(v.embedding) FROM turns t JOIN turn_vectors v ON v.user_id = t.user_id AND v.turn_id = t.id AND v.embedder = $2
  WHERE t.user_id = $1 AND t.thread_id = e.thread_id AND t.number BETWEEN e.first_turn AND e.last_turn
    AND t.role NOT IN ('TOOL', 'SYSTEM') AND e.kind = 'SEGMENT')`,
  },
};
