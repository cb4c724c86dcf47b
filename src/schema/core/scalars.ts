import { DateTimeResolver } from 'graphql-scalars';
import type { EVENT_KINDS } from '../../domain/core/event.ts';
import type { GENERATORS } from '../../domain/core/reasoning.ts';
import type { CaptureStatus } from '../../domain/episodes/capture.ts';
import type { EpisodeKind } from '../../domain/episodes/episode.ts';
import type { PartOfDay } from '../../shared/calendar.ts';
import type { ROLES } from '../../shared/role.ts';
import { builder } from './builder.ts';

builder.addScalarType('DateTime', DateTimeResolver, {
  description: 'A moment in RFC 3339, such as 2026-03-02T09:30:00Z.',
});

export const RoleEnum = builder.enumType('Role', {
  description: 'Who said a turn.',
  values: {
    USER: { description: 'The person whose memory it is.' },
    ASSISTANT: { description: 'The assistant that talks with the person.' },
    TOOL: { description: 'A tool: the text is what it returned.' },
    SYSTEM: { description: 'The application itself.' },
    OTHER: { description: 'Anybody else who takes part.' },
  } satisfies Record<(typeof ROLES)[number], { description: string }>,
});

export const ChannelKindEnum = builder.enumType('ChannelKind', {
  description: 'How a channel decides which thread a turn belongs to.',
  values: {
    EXPLICIT: { description: 'The person chooses the thread.' },
    IMPLICIT: { description: 'Inactivity begins a new thread.' },
  },
});

export const ThreadStateEnum = builder.enumType('ThreadState', {
  description: 'The state of a thread.',
  values: {
    OPEN: { description: 'Active: its last turn, or its opening, lies within its timeout.' },
    IDLE: {
      description:
        'Inactive for its timeout. A turn that is sent to it opens it again; without a `threadId`, the next turn ' +
        'of an implicit channel opens a new thread.',
    },
    CLOSED: {
      description:
        'Closed for good: only a late turn, from between its first and its last, still joins it.',
    },
  },
});

export const EpisodeKindEnum = builder.enumType('EpisodeKind', {
  description: 'What an episode covers.',
  values: {
    PRIMARY: { description: 'A whole thread.' },
    SEGMENT: { description: 'One segment of a thread: an unbroken range of its turns.' },
    CROSS_THREAD: { description: 'Several threads that were found to be about the same thing.' },
  } satisfies Record<EpisodeKind, { description: string }>,
});

export const CaptureStatusEnum = builder.enumType('CaptureStatus', {
  description: 'The capture decision for a closed segment.',
  values: {
    PENDING: { description: 'Not decided yet.' },
    CREATED: { description: 'It is an episode of its own, which is recalled and fades.' },
    MERGED: { description: 'It was added to an earlier episode of the same theme.' },
    SKIPPED: {
      description:
        'It did not become an episode; `captureReason` says why, such as "cooldown" or "quota". Its turns can still be found.',
    },
  } satisfies Record<CaptureStatus, { description: string }>,
});

export const PartOfDayEnum = builder.enumType('PartOfDay', {
  description: "A part of the day, in the user's time zone.",
  values: {
    NIGHT: { description: '22:00 to 5:00.' },
    MORNING: { description: '5:00 to 12:00.' },
    AFTERNOON: { description: '12:00 to 17:00.' },
    EVENING: { description: '17:00 to 22:00.' },
  } satisfies Record<PartOfDay, { description: string }>,
});

export const GeneratedByEnum = builder.enumType('GeneratedBy', {
  description: 'What wrote a text.',
  values: {
    EXTRACTIVE: { description: 'The built-in rules, by selecting from the words that were said.' },
    MODEL: { description: 'A language model, in its own words.' },
  } satisfies Record<(typeof GENERATORS)[number], { description: string }>,
});

export const EventKindEnum = builder.enumType('EventKind', {
  description: 'The kinds of entries in the event log.',
  values: {
    THREAD_OPENED: { description: 'A thread was opened.' },
    TURNS_REMEMBERED: {
      description: 'Turns were stored; they form an unbroken range of one thread.',
    },
    THREAD_REOPENED: { description: 'A turn was added to an idle thread, which is open again.' },
    THREAD_IDLED: {
      description: 'A thread was inactive for its timeout, or the next thread began.',
    },
    THREAD_CLOSED: { description: 'A thread was closed for good.' },
    SEGMENT_CLOSED: {
      description:
        'A segment of a thread is complete. EPISODE_CREATED, EPISODE_MERGED or EPISODE_SKIPPED follows.',
    },
    EPISODE_CREATED: { description: 'A segment became an episode of its own.' },
    EPISODE_MERGED: { description: 'A segment was added to an earlier episode.' },
    EPISODE_SKIPPED: { description: 'A segment did not become an episode; the decision says why.' },
    EPISODE_REVISED: {
      description:
        'A segment that is an episode, or part of one, was described again after a late or forgotten turn had changed it.',
    },
    THREAD_COMPACTED: { description: 'A thread has new summaries and skills.' },
    LINK_DECIDED: {
      description: 'It was decided whether a thread belongs together with an earlier one.',
    },
    LINK_RATED: {
      description: 'A link decision was found right or wrong, or a rating was withdrawn.',
    },
    CROSS_THREAD_CREATED: {
      description: 'Linked threads were joined into a cross-thread episode.',
    },
    CROSS_THREAD_EXTENDED: { description: 'A further thread joined a cross-thread episode.' },
    CROSS_THREAD_MERGED: { description: 'Cross-thread episodes were joined into one.' },
    CROSS_THREAD_REDUCED: {
      description: 'A thread left a cross-thread episode, or the episode was dissolved.',
    },
    CROSS_THREAD_SUMMARIZED: {
      description: 'A cross-thread episode has a new summary and skills.',
    },
    LINKING_TUNED: {
      description: 'Linking was tuned or rolled back; the decision says what changed, if anything.',
    },
    FACT_RECORDED: { description: 'A fact was extracted, or recorded by hand.' },
    FACT_SUPERSEDED: { description: 'A fact ended because another replaced it.' },
    FACT_REFUSED: { description: 'A candidate fact was refused in favour of a more certain one.' },
    FACT_RETRACTED: { description: 'A fact was retracted.' },
    FACT_RESTORED: { description: 'The retraction of a fact was undone.' },
    EPISODES_CONSOLIDATED: { description: 'Facts were extracted from episodes.' },
    SEMANTIC_MEMORY_FORMED: { description: 'A semantic memory was written from episodes.' },
    SEMANTIC_MEMORY_REBUILT: {
      description: 'A semantic memory was rewritten because its episodes had changed.',
    },
    PROFILE_REVISED: { description: 'The profile has a new version.' },
    MEMORY_REVIEWED: {
      description: 'A shown episode was graded, or left ungraded; the decision gives the reason.',
    },
    TURNS_EMBEDDED: {
      description:
        'Turns were embedded, so that semantic search finds them. If the embedder refused some, the decision says how many and why the first.',
    },
    TURN_UNREAD: {
      description:
        'The built-in rules took too long to read a turn: it can be found, but nothing is derived from it.',
    },
    VECTORS_DROPPED: {
      description:
        'The vectors of a former embedder were dropped, since those of the current one are complete.',
    },
    JOB_DIED: { description: 'A background job failed too often and waits for `retryJob`.' },
    MEMORY_FORGOTTEN: { description: 'Something was erased for good.' },
    MEMORY_EXPORTED: {
      description:
        'A download of the whole memory began. Calling `exportMemory` alone records nothing.',
    },
    MEMORY_IMPORTED: { description: 'The whole memory was restored from an archive.' },
  } satisfies Record<(typeof EVENT_KINDS)[number], { description: string }>,
});
