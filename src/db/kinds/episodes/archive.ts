import { z } from 'zod';
import {
  at,
  count,
  generatedBy,
  id,
  jsonObject,
  number,
  text,
} from '../../../domain/archive/archive-values.ts';
import { RATINGS } from '../../../domain/episodes/forgetting.ts';
import { type Archive, lastOf } from '../kind.ts';

const episode = z.strictObject({
  id,
  kind: z.enum(['PRIMARY', 'SEGMENT', 'CROSS_THREAD']),
  thread_id: id.nullable(),
  ordinal: count,
  parent_id: id.nullable(),
  first_turn: count,
  last_turn: count,
  started_at: at,
  ended_at: at,
  recorded_at: at,
  title: text.nullable(),
  summary: text.nullable(),
  topic: text.nullable(),
  approach: text.nullable(),
  description: jsonObject.nullable(),
  generated_by: generatedBy.nullable(),
  model: text.nullable(),
  date: text.nullable(),
  week: count.nullable(),
  year: count.nullable(),
  part_of_day: z.enum(['NIGHT', 'MORNING', 'AFTERNOON', 'EVENING']).nullable(),
  micro: text.nullable(),
  meso: text.nullable(),
  macro: text.nullable(),
  compacted_at: at.nullable(),
  capture: z.enum(['PENDING', 'CREATED', 'MERGED', 'SKIPPED']).nullable(),
  capture_reason: text.nullable(),
  capture_signals: jsonObject.nullable(),
  merged_into_id: id.nullable(),
  theme_terms: z.array(text).nullable(),
  surprise: number.nullable(),
  stability: number.nullable(),
  difficulty: number.nullable(),
  last_reviewed_at: at.nullable(),
  consolidated_at: at.nullable(),
  summarized_into_id: id.nullable(),
  /** Archives of earlier versions do not have it. */
  former_memory_ids: z.array(id).nullable().default([]),
});

const episodeRevision = z.strictObject({
  episode_id: id,
  number: count,
  summary: text,
  recorded_at: at,
});

const shownEpisode = z.strictObject({
  thread_id: id,
  episode_id: id,
  shown_at: at,
  after_turn_id: count,
});

const episodeReview = z.strictObject({
  episode_id: id,
  number: count,
  rating: z.enum(RATINGS),
  at,
  recorded_at: at,
  generated_by: generatedBy.nullable(),
  model: text.nullable(),
  thread_id: id.nullable(),
  after_turn_id: count.nullable(),
  through_turn_id: count.nullable(),
  stability_before: number,
  difficulty_before: number,
  stability: number,
  difficulty: number,
});

export const archive: Archive = {
  rows: [
    { type: 'episode', table: 'episodes', key: ['id'], row: episode },
    {
      type: 'episode_revision',
      table: 'episode_revisions',
      key: ['episode_id', 'number'],
      row: episodeRevision,
    },
    {
      type: 'shown_episode',
      table: 'shown_episodes',
      key: ['thread_id', 'episode_id'],
      row: shownEpisode,
    },
    {
      type: 'episode_review',
      table: 'episode_reviews',
      key: ['episode_id', 'number'],
      row: episodeReview,
    },
  ],
  numbers: { last_episode: lastOf('last_episode', 'episodes') },
  misfits: [
    {
      first: `
SELECT min(e.id) FROM episodes e JOIN threads t ON t.user_id = $1 AND t.id = e.thread_id
WHERE e.user_id = $1 AND e.kind = 'SEGMENT' AND NOT (e.first_turn BETWEEN 1 AND e.last_turn AND e.last_turn <= t.turn_count)`,
      reason: (id) => `episode ${id} covers turns that its thread does not have`,
    },
  ],
  resume: {
    episodesShown: 'SELECT DISTINCT thread_id FROM shown_episodes WHERE user_id = $1',
    crossThreadChanged: `SELECT id FROM episodes WHERE user_id = $1 AND kind = 'CROSS_THREAD'`,
  },
};
