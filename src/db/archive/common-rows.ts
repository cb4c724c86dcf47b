import { z } from 'zod';
import type { ArchiveRow } from '../../domain/archive/archive.ts';
import {
  at,
  count,
  flag,
  generatedBy,
  id,
  json,
  jsonObject,
  keyHash,
  number,
  text,
} from '../../domain/archive/archive-values.ts';
import { EVENT_KINDS } from '../../domain/core/event.ts';
import { timeZoneSchema } from '../../domain/core/time-zone.ts';
import { captureChangesSchema } from '../../domain/episodes/capture-settings.ts';
import { LINK_SIGNS } from '../../domain/links/link-outcome.ts';
import { LINKING_PARTS } from '../../domain/links/linking.ts';
import { LINKING_SIGNALS } from '../../domain/links/linking-signal.ts';
import { channelSchema, timeoutSchema, titleSchema } from '../../domain/turns/turn.ts';
import { TURN_TO_READ } from '../kinds/turns/to-read.ts';

const weights = z.record(z.enum(LINKING_PARTS), number);
/** A closed list: the hints that a reasoner is given. */
const hints = z.array(z.enum(LINKING_SIGNALS));
const setting = z.strictObject({ threshold: number, weights, hints });

const user = z.strictObject({
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

const channelSetting = z.strictObject({
  name: channelSchema,
  kind: z.enum(['EXPLICIT', 'IMPLICIT']),
  inactivity_timeout_minutes: timeoutSchema.nullable(),
});

const thread = z.strictObject({
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

const profile = z.strictObject({
  version: id,
  communication: text,
  technical: text,
  work_pattern: text,
  personal_context: text,
  prose: text,
  source_semantic_ids: z.array(id).nullable(),
  /** Archives of earlier versions do not have it. */
  source_fact_ids: z.array(id).nullable().default([]),
  generated_by: generatedBy,
  model: text,
  recorded_at: at,
  stale_at: at.nullable(),
});

const link = z.strictObject({
  id,
  thread_id: id,
  earlier_thread_id: id,
  turns: count,
  keyword: number.nullable(),
  entity: number.nullable(),
  topic: number.nullable(),
  recency: number.nullable(),
  algorithmic_score: number,
  algorithmic_related: flag,
  algorithmic_confidence: number,
  reasoner_related: flag,
  reasoner_confidence: number,
  reasoning: text.nullable(),
  key_signals: z.array(text).nullable(),
  generated_by: generatedBy,
  model: text,
  threshold: number,
  weights,
  verdict: z.enum(['LINK', 'DONT_LINK']),
  certainty: z.enum(['HIGH', 'UNCERTAIN']),
  fused_score: number,
  joins: flag,
  outcome: z.enum(['UNKNOWN', 'CORRECT', 'INCORRECT']),
  sign: z.enum(LINK_SIGNS).nullable(),
  rated_at: at.nullable(),
  watched_through: count.nullable(),
  decided_at: at,
});

const linkingSetting = z.strictObject({
  threshold: number,
  weights,
  hints,
  updated_at: at,
});

const tuningRun = z.strictObject({
  number: id,
  kind: z.enum(['TUNED', 'ROLLED_BACK']),
  kept: flag,
  reason: text,
  decisions: count,
  previous: setting,
  next: setting,
  metrics: json,
  thresholds: json,
  disagreements: json,
  at,
});

const memoryEvent = z.strictObject({
  number: id,
  kind: z.enum(EVENT_KINDS),
  at,
  thread_id: id.nullable(),
  episode_id: id.nullable(),
  fact_id: id.nullable(),
  first_turn_id: id.nullable(),
  last_turn_id: id.nullable(),
  decision: text,
  details: jsonObject.nullable(),
});

/** Only up to which turn facts were taken; the indexes are made anew. */
const progress = z.strictObject({ index_name: z.literal('facts'), through: count });

/** What kinds of memories refer to. */
export const FIRST: readonly [ArchiveRow, ...ArchiveRow[]] = [
  { type: 'user', table: 'users', key: ['user_id'], row: user },
  { type: 'channel_setting', table: 'channel_settings', key: ['name'], row: channelSetting },
  {
    type: 'thread',
    table: 'threads',
    key: ['id'],
    row: thread,
    joinedLater: ['cross_thread_episode_id'],
  },
];

/** What refers to kinds of memories, or to none. */
export const LAST: readonly ArchiveRow[] = [
  { type: 'profile', table: 'profiles', key: ['version'], row: profile, after: 'semantic_memory' },
  {
    type: 'progress',
    table: 'index_progress',
    key: ['index_name'],
    row: progress,
    where: `index_name = 'facts'`,
  },
  TURN_TO_READ,
  {
    type: 'link',
    table: 'links',
    key: ['id'],
    row: link,
    past: 'rated_at',
    added: { imported: 'true' },
  },
  { type: 'linking_setting', table: 'linking_settings', key: ['user_id'], row: linkingSetting },
  { type: 'tuning_run', table: 'tuning_runs', key: ['number'], row: tuningRun },
  {
    type: 'erased_key',
    table: 'erased_keys',
    key: ['key_hash'],
    row: z.strictObject({ key_hash: keyHash }),
  },
  { type: 'memory_event', table: 'memory_events', key: ['number'], row: memoryEvent },
];
