import { DateTimeResolver } from 'graphql-scalars';
import type { EVENT_KINDS } from '../../domain/core/event.ts';
import type { GENERATORS } from '../../domain/core/reasoning.ts';
import type { CaptureStatus } from '../../domain/episodes/capture.ts';
import type { EpisodeKind } from '../../domain/episodes/episode.ts';
import type { PartOfDay } from '../../shared/calendar.ts';
import type { ROLES } from '../../shared/role.ts';
import { builder } from './builder.ts';

builder.addScalarType('DateTime', DateTimeResolver, {
  description:
    'A moment in RFC 3339, such as 2026-03-02T09:30:00Z: in UTC in answers, with any offset in inputs.',
});

export const RoleEnum = builder.enumType('Role', {
  description: 'Who said a turn: the part that the speaker has in the conversation.',
  values: {
    USER: { description: 'The person whose memory it is.' },
    ASSISTANT: { description: 'The assistant that talks with the person.' },
    TOOL: { description: 'A tool: the text is what it returned.' },
    SYSTEM: { description: 'The application itself.' },
    OTHER: { description: 'Another person who takes part.' },
  } satisfies Record<(typeof ROLES)[number], { description: string }>,
});

export const ChannelKindEnum = builder.enumType('ChannelKind', {
  description: 'How it is decided which thread a turn of a channel belongs to.',
  values: {
    EXPLICIT: {
      description:
        'The caller names the thread with each call, by `threadId` or `newThread`. Imported turns need neither.',
    },
    IMPLICIT: {
      description:
        'Inactivity decides, unless the caller names a thread. A turn continues the latest implicit thread ' +
        '(`Thread.explicit` is false), whatever its channels; if that is closed or was silent for longer than its timeout, the ' +
        'turn begins a new one. A turn from before the last one of that thread goes to the implicit thread in whose time it was ' +
        'said or, within the timeout, to the nearest open or idle one; if there is none, to a new one.',
    },
  },
});

export const ThreadStateEnum = builder.enumType('ThreadState', {
  description: 'The state of a thread.',
  values: {
    OPEN: {
      description:
        'Active: the time of its `idleAt` has not passed. Shortly after that it becomes IDLE.',
    },
    IDLE: {
      description:
        'Silent for its timeout, or set so when another thread began. A turn that is sent to it by `threadId` opens it again, ' +
        'unless it was said before the last one. Without `threadId`, a turn that is said after the timeout goes to another thread.',
    },
    CLOSED: {
      description:
        'Closed for good, by `closeThread`. It takes only late turns: those said before its last turn, but not before its first.',
    },
  },
});

export const EpisodeKindEnum = builder.enumType('EpisodeKind', {
  description: 'What an episode covers.',
  values: {
    PRIMARY: { description: 'A whole thread.' },
    SEGMENT: {
      description:
        'One closed segment of a thread: an unbroken range of its turns, mostly about one matter. The newest turns of an open ' +
        'thread are usually in no closed segment yet.',
    },
    CROSS_THREAD: {
      description:
        'Several threads joined by cross-thread links, directly or through other threads.',
    },
  } satisfies Record<EpisodeKind, { description: string }>,
});

export const CaptureStatusEnum = builder.enumType('CaptureStatus', {
  description:
    'The capture decision: whether a closed segment is recalled as an episode of its own.',
  values: {
    PENDING: {
      description:
        'Not decided yet, or to be looked at again because of a late or a forgotten turn.',
    },
    CREATED: {
      description: 'The segment is an episode of its own: it is recalled as one, and it fades.',
    },
    MERGED: {
      description:
        'The segment was added to an earlier episode of the same theme. The summary of that episode covers both.',
    },
    SKIPPED: {
      description:
        'The segment is no episode; `captureReason` says why, such as "cooldown" or "quota". Its turns can still be found.',
    },
  } satisfies Record<CaptureStatus, { description: string }>,
});

export const PartOfDayEnum = builder.enumType('PartOfDay', {
  description: "A part of the day, in the user's time zone (UTC if none is set).",
  values: {
    NIGHT: { description: '22:00 to 4:59.' },
    MORNING: { description: '5:00 to 11:59.' },
    AFTERNOON: { description: '12:00 to 16:59.' },
    EVENING: { description: '17:00 to 21:59.' },
  } satisfies Record<PartOfDay, { description: string }>,
});

export const GeneratedByEnum = builder.enumType('GeneratedBy', {
  description:
    'Who did a piece of language work, such as a summary, an assessment or a grade: the built-in rules or a model.',
  values: {
    EXTRACTIVE: {
      description:
        'The built-in rules, which use no language model. Their summaries are selected from the words that were said.',
    },
    MODEL: { description: 'A language model. Its texts are in its own words.' },
  } satisfies Record<(typeof GENERATORS)[number], { description: string }>,
});

export const EventKindEnum = builder.enumType('EventKind', {
  description: 'The kinds of entries in the event log.',
  values: {
    THREAD_OPENED: { description: 'A thread began, by a turn or by `openThread`.' },
    TURNS_REMEMBERED: {
      description:
        'Turns were stored in one thread. If a call stores turns in several threads, each thread has an event of its own.',
    },
    THREAD_REOPENED: { description: 'A turn was added to an idle thread, which is open again.' },
    THREAD_IDLED: { description: 'A thread became idle: after its timeout, or as another began.' },
    THREAD_CLOSED: { description: 'A thread was closed for good. It can still get late turns.' },
    SEGMENT_CLOSED: {
      description:
        'A segment of a thread is complete. EPISODE_CREATED, EPISODE_MERGED or EPISODE_SKIPPED follows.',
    },
    EPISODE_CREATED: { description: 'A segment became an episode of its own.' },
    EPISODE_MERGED: { description: 'A segment was added to an earlier episode of the same theme.' },
    EPISODE_SKIPPED: {
      description:
        'A segment did not become an episode, or is none any more, as after `moveMisplacedEpisodes`; `decision` says why.',
    },
    EPISODE_REVISED: {
      description:
        'A segment that is an episode, or part of one, was summarised again because a late turn was added to it. After a ' +
        '`forget` of some of its turns there is no such event: whether it is an episode is decided again, and EPISODE_CREATED, ' +
        'EPISODE_MERGED or EPISODE_SKIPPED follows.',
    },
    THREAD_COMPACTED: {
      description: 'The summaries of a thread were written, and the skills found in it, if any.',
    },
    LINK_DECIDED: {
      description:
        'It was decided whether a thread belongs together with an earlier one: for the first time, or again.',
    },
    LINK_RATED: {
      description:
        'A link decision was found right or wrong, by what the user said next or by `rateLink`. Withdrawing a rating with ' +
        '`rateLink` is recorded, too.',
    },
    CROSS_THREAD_CREATED: {
      description: 'Linked threads were joined into a cross-thread episode.',
    },
    CROSS_THREAD_EXTENDED: {
      description: 'One or more further threads joined a cross-thread episode.',
    },
    CROSS_THREAD_MERGED: { description: 'Cross-thread episodes were joined into one.' },
    CROSS_THREAD_REDUCED: {
      description:
        'One or more threads left a cross-thread episode, or the episode was dissolved, since fewer than two threads were left. ' +
        'If a `forget` causes this, only MEMORY_FORGOTTEN is recorded.',
    },
    CROSS_THREAD_SUMMARIZED: {
      description:
        'A cross-thread episode was summarised; `decision` says how many skills were found.',
    },
    LINKING_TUNED: {
      description:
        "A linking setting was tuned or rolled back. `decision` says whether it is the user's own or the deployment's, and gives " +
        'its threshold and F1. A run for the deployment is recorded only for the user who caused it.',
    },
    FACT_RECORDED: {
      description:
        'A new fact was stored: extracted from turns, or recorded by hand. There is no event when a stored fact is confirmed, or ' +
        'found to have begun earlier.',
    },
    FACT_SUPERSEDED: {
      description:
        'A fact ended because another replaced it. There is no such event for facts that `restoreFact` ends.',
    },
    FACT_REFUSED: {
      description:
        'A candidate fact, which was read from turns, was refused in favour of a stored fact that is more certain.',
    },
    FACT_RETRACTED: {
      description: 'A fact was retracted: it is no longer believed to have been true at any time.',
    },
    FACT_RESTORED: {
      description:
        'A fact is believed again, since its retraction was undone; or it holds again, since the fact that had replaced it was ' +
        'retracted.',
    },
    EPISODES_CONSOLIDATED: {
      description:
        'Episodes were read for facts; `decision` says how many facts were new, said again or refused.',
    },
    SEMANTIC_MEMORY_FORMED: { description: 'A semantic memory was written from episodes.' },
    SEMANTIC_MEMORY_REBUILT: {
      description:
        'A semantic memory was rewritten because its episodes had changed, or because something that it was written from was ' +
        'forgotten.',
    },
    PROFILE_REVISED: { description: 'The profile has a new version.' },
    MEMORY_REVIEWED: {
      description:
        'An episode was graded, or was left ungraded although a recall had shown it; `decision` says how or why.',
    },
    TURNS_EMBEDDED: {
      description:
        'Turns were embedded, so that semantic search finds them. If the embedder refused some, `decision` says how many, and why ' +
        'it refused the first of them.',
    },
    TURN_UNREAD: {
      description:
        'The built-in rules took too long to read a turn and skip it from now on. The turn can still be found, and a model still reads it.',
    },
    VECTORS_DROPPED: {
      description:
        'The vectors of former embedders were dropped, an hour after the current one had come to the last turn.',
    },
    JOB_DIED: {
      description:
        'A background job was tried five times, each attempt failed or was cut off, and it now waits for `retryJob`.',
    },
    MEMORY_FORGOTTEN: {
      description:
        'A turn, a thread, an episode, a fact or the whole memory was erased for good, with everything derived from it.',
    },
    MEMORY_EXPORTED: {
      description:
        'A download of the whole memory began. Calling `exportMemory` alone records nothing.',
    },
    MEMORY_IMPORTED: { description: 'The whole memory was restored from an archive.' },
  } satisfies Record<(typeof EVENT_KINDS)[number], { description: string }>,
});
