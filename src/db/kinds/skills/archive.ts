import { z } from 'zod';
import { at, count, generatedBy, id, text } from '../../../domain/archive/archive-values.ts';
import type { Archive } from '../kind.ts';

const skill = z.strictObject({
  episode_id: id,
  number: count,
  name: text,
  description: text,
  generated_by: generatedBy,
  evidence_turns: z.array(count).nullable(),
  recorded_at: at,
});

export const archive: Archive = {
  rows: [
    {
      type: 'skill',
      table: 'skills',
      key: ['episode_id', 'number'],
      row: skill,
      after: 'episode_revision',
    },
  ],
};
