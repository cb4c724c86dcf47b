import { z } from 'zod';
import { EVENT_KINDS } from '../core/event.ts';
import * as conversation from './archive-conversation-rows.ts';
import * as knowledge from './archive-knowledge-rows.ts';
import { at, count, id, json, keyHash, text } from './archive-values.ts';

export const ARCHIVE_FORMAT = 'mnemograph-archive';
export const ARCHIVE_VERSION = 1;

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
  details: json.nullable(),
});

/** Only up to which turn facts were taken; the indexes are made anew. */
const progress = z.strictObject({ index_name: z.literal('facts'), through: count });

/** The rows of an archive, in their order in it: a row refers to earlier ones and to its own kind, and a thread to its CROSS_THREAD episode. */
export const ARCHIVE_ROWS = {
  user: { table: 'users', key: ['user_id'], row: conversation.user },
  channel_setting: {
    table: 'channel_settings',
    key: ['name'],
    row: conversation.channelSetting,
  },
  thread: { table: 'threads', key: ['id'], row: conversation.thread },
  turn: { table: 'turns', key: ['id'], row: conversation.turn },
  semantic_memory: {
    table: 'semantic_memories',
    key: ['id'],
    row: knowledge.semanticMemory,
  },
  profile: { table: 'profiles', key: ['version'], row: knowledge.profile },
  episode: { table: 'episodes', key: ['id'], row: conversation.episode },
  episode_revision: {
    table: 'episode_revisions',
    key: ['episode_id', 'number'],
    row: conversation.episodeRevision,
  },
  skill: { table: 'skills', key: ['episode_id', 'number'], row: conversation.skill },
  shown_episode: {
    table: 'shown_episodes',
    key: ['thread_id', 'episode_id'],
    row: conversation.shownEpisode,
  },
  episode_review: {
    table: 'episode_reviews',
    key: ['episode_id', 'number'],
    row: conversation.episodeReview,
  },
  fact: { table: 'facts', key: ['id'], row: knowledge.fact },
  fact_version: {
    table: 'fact_versions',
    key: ['fact_id', 'number'],
    row: knowledge.factVersion,
  },
  fact_source: {
    table: 'fact_sources',
    key: ['fact_id', 'turn_id'],
    row: knowledge.factSource,
  },
  fact_refusal: {
    table: 'fact_refusals',
    key: ['turn_id', 'number'],
    row: knowledge.factRefusal,
  },
  progress: { table: 'index_progress', key: ['index_name'], row: progress },
  link: { table: 'links', key: ['id'], row: knowledge.link },
  linking_setting: {
    table: 'linking_settings',
    key: ['user_id'],
    row: knowledge.linkingSetting,
  },
  tuning_run: { table: 'tuning_runs', key: ['number'], row: knowledge.tuningRun },
  erased_key: {
    table: 'erased_keys',
    key: ['key_hash'],
    row: z.strictObject({ key_hash: keyHash }),
  },
  memory_event: { table: 'memory_events', key: ['number'], row: memoryEvent },
} as const;

export type ArchiveKind = keyof typeof ARCHIVE_ROWS;
export const ARCHIVE_KINDS = Object.keys(ARCHIVE_ROWS) as ArchiveKind[];

/** The columns of a kind of row, without whose it is. */
export const columnsOf = (kind: ArchiveKind): string[] => Object.keys(ARCHIVE_ROWS[kind].row.shape);

const counts = z.record(z.enum(ARCHIVE_KINDS as [ArchiveKind, ...ArchiveKind[]]), count);
export type ArchiveCounts = z.output<typeof counts>;

export const headerSchema = z.strictObject({
  format: z.literal(ARCHIVE_FORMAT),
  version: z.literal(ARCHIVE_VERSION),
  user: text,
  exported_at: at,
  counts,
});
export type ArchiveHeader = z.output<typeof headerSchema>;

/** The last line: SHA-256 of all bytes before it, in hex. */
export const trailerSchema = z.strictObject({
  type: z.literal('end'),
  counts,
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
});
export type ArchiveTrailer = z.output<typeof trailerSchema>;
