export type { Print, TypedDocument } from './documents.ts';
export {
  type AnswerError,
  type InputIssue,
  MemoryError,
  type MemoryErrorCode,
  type Payload,
  payloadOf,
} from './errors.ts';
export type { EventsOptions, MemoryEvent } from './events.ts';
export type { Fact, Facts, FactsFilter } from './facts.ts';
export type {
  EventKind,
  ForgetInput,
  RecordFactInput,
  TurnFragment as Turn,
  TurnInput,
} from './generated/graphql.ts';
export type { Hit } from './hits.ts';
export {
  type Archive,
  type CompactionProgress,
  createMemory,
  type Forgotten,
  type Imported,
  type LinkingProgress,
  type Memory,
  type MemoryContext,
  type PastConversation,
  type Recalled,
  type Remembered,
} from './memory.ts';
export type { RememberOptions, RememberTurns } from './remember.ts';
export type { MemoryOptions } from './server.ts';
export type { CallOptions } from './waiting.ts';
