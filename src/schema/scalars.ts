import { DateTimeResolver } from 'graphql-scalars';
import type { PartOfDay } from '../domain/calendar.ts';
import type { CaptureStatus } from '../domain/capture.ts';
import type { EpisodeKind } from '../domain/episode.ts';
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

export const EpisodeKindEnum = builder.enumType('EpisodeKind', {
  description: 'What an episode is a whole of.',
  values: {
    PRIMARY: { description: 'One thread.' },
    SEGMENT: { description: 'One event inside a thread: an unbroken range of its turns.' },
    CROSS_THREAD: { description: 'Several threads that were found to be about the same thing.' },
  } satisfies Record<EpisodeKind, { description: string }>,
});

export const CaptureStatusEnum = builder.enumType('CaptureStatus', {
  description: 'What became of a closed segment.',
  values: {
    PENDING: { description: 'It is not decided yet.' },
    CREATED: { description: 'An episode of its own: it is recalled, and fades.' },
    MERGED: { description: 'Part of an earlier episode of the same theme.' },
    SKIPPED: { description: 'Not worth an episode; its turns are found word for word.' },
  } satisfies Record<CaptureStatus, { description: string }>,
});

export const PartOfDayEnum = builder.enumType('PartOfDay', {
  description: "A part of the day, by the clock of the user's time zone.",
  values: {
    NIGHT: { description: '22:00 to 5:00.' },
    MORNING: { description: '5:00 to 12:00.' },
    AFTERNOON: { description: '12:00 to 17:00.' },
    EVENING: { description: '17:00 to 22:00.' },
  } satisfies Record<PartOfDay, { description: string }>,
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
    SEGMENT_CLOSED: { description: 'An event inside a thread is over.' },
    EPISODE_CREATED: { description: 'A segment became an episode of its own.' },
    EPISODE_MERGED: { description: 'A segment became a part of an earlier episode.' },
    EPISODE_SKIPPED: { description: 'A segment was not worth an episode.' },
    EPISODE_REVISED: {
      description: 'A late or forgotten turn changed a segment: it is done again.',
    },
    THREAD_COMPACTED: { description: 'A thread has new summaries and skills.' },
    LINK_DECIDED: { description: 'Whether a thread belongs together with an earlier one.' },
    LINK_RATED: { description: 'Whether such a decision was right.' },
    CROSS_THREAD_CREATED: { description: 'Threads that belong together became one episode.' },
    CROSS_THREAD_EXTENDED: { description: 'A further thread came to such an episode.' },
    CROSS_THREAD_MERGED: { description: 'Such episodes met and became one.' },
    CROSS_THREAD_REDUCED: { description: 'A thread left such an episode, or it is gone.' },
    CROSS_THREAD_TOLD: { description: 'Such an episode has a new summary and skills.' },
    LINKING_TUNED: { description: 'What linking goes by was tuned, or set back.' },
    FACT_RECORDED: { description: 'A fact was learned, or given by hand.' },
    FACT_SUPERSEDED: { description: 'A fact ended because another took its place.' },
    FACT_REFUSED: { description: 'A candidate was kept out by a surer fact.' },
    FACT_RETRACTED: { description: 'A fact is no longer believed.' },
    FACT_RESTORED: { description: 'A retracted fact is believed again.' },
    EPISODES_CONSOLIDATED: { description: 'Facts were taken from episodes.' },
    SEMANTIC_MEMORY_FORMED: { description: 'Episodes came to a semantic memory.' },
    SEMANTIC_MEMORY_REBUILT: {
      description: 'A semantic memory was told anew: its episodes had changed.',
    },
    PROFILE_REVISED: { description: 'The profile has a new version.' },
    MEMORY_REVIEWED: { description: 'An episode that was shown was rated, or was not, and why.' },
    TURNS_INDEXED: { description: 'Turns have their vectors: they are found by meaning too.' },
    TURN_UNREAD: {
      description:
        'The built-in rules took too long to read a turn and leave it out: it is found by words and meaning, but they derive nothing from it.',
    },
    VECTORS_DROPPED: {
      description:
        'The vectors of a former embedder were deleted: those of the present one are complete.',
    },
    JOB_DIED: { description: 'A background step failed too often and waits for retryJob.' },
    MEMORY_FORGOTTEN: { description: 'Something was erased for good.' },
    MEMORY_EXPORTED: { description: 'The whole memory was handed out as an archive.' },
    MEMORY_IMPORTED: { description: 'The whole memory came from an archive.' },
  } satisfies Record<(typeof EVENT_KINDS)[number], { description: string }>,
});
