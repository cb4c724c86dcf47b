import { z } from 'zod';
import { GENERATORS } from '../core/reasoning.ts';
import { ROLES } from '../core/role.ts';
import { timeZoneSchema } from '../core/time-zone.ts';
import { captureChangesSchema } from '../episodes/capture-settings.ts';
import { RATINGS } from '../episodes/forgetting.ts';
import {
  channelSchema,
  nameSchema,
  timeoutSchema,
  titleSchema,
  toolCallsSchema,
  turnTextSchema,
} from '../turns/turn.ts';
import { at, count, flag, id, json, keyHash, number, text } from './archive-values.ts';

const generatedBy = z.enum(GENERATORS);

export const user = z.strictObject({
  time_zone: timeZoneSchema.nullable(),
  inactivity_timeout_minutes: timeoutSchema.nullable(),
  capture_settings: captureChangesSchema.strict().nullable(),
  recorded_at: at,
  last_thread: count,
  last_turn: count,
  last_event: count,
  last_episode: count,
  last_fact: count,
  last_semantic_memory: count,
  last_profile: count,
  last_link: count,
  trimmed_event: count,
  turn_count: count,
  word_count: count,
});

export const channelSetting = z.strictObject({
  name: channelSchema,
  kind: z.enum(['EXPLICIT', 'IMPLICIT']),
  inactivity_timeout_minutes: timeoutSchema.nullable(),
});

export const thread = z.strictObject({
  id,
  title: titleSchema.nullable(),
  explicit: flag,
  state: z.enum(['OPEN', 'IDLE', 'CLOSED']),
  inactivity_timeout_minutes: timeoutSchema.nullable(),
  channels: z.array(channelSchema),
  turn_count: count,
  started_at: at,
  last_activity_at: at,
  recorded_at: at,
  segmented_through: count,
  segmentation_tried: count,
  compacted_through: count,
  compaction_asked: count,
  late_turns: count,
  imported: flag,
  open_surprise: number,
  idle_at: at,
  linked_turns: count,
  cross_thread_episode_id: id.nullable(),
});

export const turn = z.strictObject({
  id,
  thread_id: id,
  number: id,
  role: z.enum(ROLES),
  speaker: nameSchema.nullable(),
  channel: channelSchema,
  text: turnTextSchema,
  tool_calls: toolCallsSchema.nullable(),
  word_count: count,
  occurred_at: at,
  recorded_at: at,
  key_hash: keyHash.nullable(),
});

export const episode = z.strictObject({
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
  description: json.nullable(),
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
  capture_signals: json.nullable(),
  merged_into_id: id.nullable(),
  theme_terms: z.array(text).nullable(),
  surprise: number.nullable(),
  stability: number.nullable(),
  difficulty: number.nullable(),
  last_reviewed_at: at.nullable(),
  consolidated_at: at.nullable(),
  summarized_into_id: id.nullable(),
});

export const episodeRevision = z.strictObject({
  episode_id: id,
  number: count,
  summary: text,
  recorded_at: at,
});

export const skill = z.strictObject({
  episode_id: id,
  number: count,
  name: text,
  description: text,
  generated_by: generatedBy,
  evidence_turns: z.array(count).nullable(),
  recorded_at: at,
});

export const shownEpisode = z.strictObject({
  thread_id: id,
  episode_id: id,
  shown_at: at,
  after_turn_id: count,
});

export const episodeReview = z.strictObject({
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
