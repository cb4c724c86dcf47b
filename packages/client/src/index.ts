export { type Print, type TypedDocument, typed } from './documents.ts';
export {
  type AnswerError,
  type InputIssue,
  MemoryError,
  type MemoryErrorCode,
  type Payload,
  payloadOf,
} from './errors.ts';
export type { Fact, Facts, FactsFilter } from './facts.ts';
export type {
  CompactionProgress,
  EventsOptions,
  LinkingProgress,
  MemoryEvent,
} from './follow-memory.ts';
export type {
  EventKind,
  ForgetInput,
  RecordFactInput,
  TurnFragment as Turn,
  TurnInput,
} from './generated/graphql.ts';
export type { Hit } from './hits.ts';
export type { Live } from './live.ts';
export {
  type Activity,
  type Archive,
  createMemory,
  type Forgotten,
  type Imported,
  type Memory,
  type MemoryContext,
  type Miss,
  type PastConversation,
  type Recalled,
  type RecallStage,
  type Remembered,
} from './memory.ts';
export type { RememberOptions, RememberTurns } from './remember.ts';
export type { Followed, FollowOptions } from './resume.ts';
export type { MemoryOptions } from './server.ts';
export type { CallOptions } from './waiting.ts';
