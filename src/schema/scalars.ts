import { DateTimeResolver } from 'graphql-scalars';
import type { EVENT_KINDS } from '../domain/event.ts';
import type { GENERATORS } from '../domain/reasoning.ts';
import type { ROLES } from '../domain/turn.ts';
import { builder } from './builder.ts';

builder.addScalarType('DateTime', DateTimeResolver, {
  description: 'A moment in RFC 3339, such as 2026-03-02T09:30:00Z.',
});

export const RoleEnum = builder.enumType('Role', {
  description: 'Who said a turn.',
  values: {
    USER: { description: 'The person whose memory it is.' },
    ASSISTANT: { description: 'The assistant that talks with the person.' },
    TOOL: { description: 'A tool that was called.' },
    SYSTEM: { description: 'The application itself.' },
    OTHER: { description: 'A third person.' },
  } satisfies Record<(typeof ROLES)[number], { description: string }>,
});

export const ChannelKindEnum = builder.enumType('ChannelKind', {
  description: 'How a channel decides which thread a turn belongs to.',
  values: {
    EXPLICIT: { description: 'The person picks the thread.' },
    IMPLICIT: { description: 'Inactivity decides.' },
  },
});

export const ThreadStateEnum = builder.enumType('ThreadState', {
  description: 'Whether a thread goes on.',
  values: {
    OPEN: { description: 'Turns are coming.' },
    IDLE: { description: 'Silent for its timeout; a new turn opens it again.' },
    CLOSED: { description: 'Closed for good.' },
  },
});

export const GeneratedByEnum = builder.enumType('GeneratedBy', {
  description: 'Who made a text.',
  values: {
    EXTRACTIVE: { description: 'The built-in rules: a choice of the words that were said.' },
    MODEL: { description: 'A language model, in its own words.' },
  } satisfies Record<(typeof GENERATORS)[number], { description: string }>,
});

export const EventKindEnum = builder.enumType('EventKind', {
  description: 'What an entry of the memory log tells.',
  values: {
    THREAD_OPENED: { description: 'A thread began.' },
    TURNS_REMEMBERED: { description: 'Turns were kept; they are an unbroken range of one thread.' },
    THREAD_REOPENED: { description: 'A turn came to an idle thread.' },
    THREAD_IDLED: { description: 'A thread was silent for its timeout, or the next one began.' },
    THREAD_CLOSED: { description: 'A thread was closed for good.' },
    THREAD_DESCRIBED: { description: 'It is known what an idle or closed thread was about.' },
    TURNS_INDEXED: { description: 'Turns have their vectors: they are found by meaning too.' },
    VECTORS_DROPPED: {
      description:
        'The vectors of a former embedder were deleted: those of the present one are complete.',
    },
    JOB_DIED: { description: 'A background step failed too often and waits for retryJob.' },
    MEMORY_FORGOTTEN: { description: 'Something was erased for good.' },
  } satisfies Record<(typeof EVENT_KINDS)[number], { description: string }>,
});
