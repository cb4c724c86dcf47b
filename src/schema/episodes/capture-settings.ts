import { type CaptureKnobs, NEWEST_COMPARED } from '../../domain/episodes/capture.ts';
import { type CaptureSettings, knobsFor } from '../../domain/episodes/capture-settings.ts';
import { builder } from '../core/builder.ts';
import { jsonOf } from '../core/rows.ts';

/** What a setting is when it is read, and what it may be set to. */
const ABOUT = {
  everything: {
    read:
      'True if every closed segment becomes an episode of its own, without selection: then, of the other settings, only ' +
      '`windowTurns` matters. The segments of imported conversations become episodes in any case.',
    set:
      'True to make every segment an episode that is closed from now on; false to select. In threads that an import opened, all ' +
      "become episodes in any case. Null returns to the deployment's EPISODIC_CAPTURE.",
  },
  cooldownTurns: {
    read:
      "The cooldown in turns, 0-1000. An episode is created only when this many turns have followed the user's last segment, in " +
      'any thread, whose `capture` is CREATED or MERGED, or `cooldownMinutes` have passed. Turns by anybody in any thread count, ' +
      'also those of the new segment. Key moments and imported conversations do not wait.',
    set:
      'Create an episode only when this many turns, 0-1000, have followed the last segment whose `capture` is CREATED or ' +
      'MERGED, or `cooldownMinutes` have passed. Key moments and imported conversations do not wait; 0 switches the whole ' +
      "cooldown off. Null returns to the deployment's EPISODIC_COOLDOWN_TURNS.",
  },
  cooldownMinutes: {
    read:
      'The cooldown in minutes, 0-10080. An episode is created only when it ends this long after the end of the last segment ' +
      'whose `capture` is CREATED or MERGED, or `cooldownTurns` have followed that segment. Key moments and imported ' +
      'conversations do not wait.',
    set:
      'Create an episode only when it ends this many minutes, 0-10080, after the last segment whose `capture` is CREATED or ' +
      'MERGED, or `cooldownTurns` have followed that segment. Key moments and imported conversations do not wait; 0 switches ' +
      "the whole cooldown off. Null returns to the deployment's EPISODIC_COOLDOWN_MINUTES.",
  },
  maxPerDay: {
    read:
      "The most episodes created per day in the user's time zone, 1-1000. Key moments and imported conversations count, but may " +
      'exceed it. Segments that are merged into an episode do not count.',
    set:
      "The most episodes to create per day in the user's time zone, 1-1000; key moments and imported conversations may exceed " +
      "it. Null returns to the deployment's EPISODIC_MAX_PER_DAY.",
  },
  noveltyMin: {
    read:
      'A segment is skipped if its `novelty` is below this, 0-1, unless a tool changed something in it or it is of an ' +
      'imported conversation.',
    set:
      'Skip a segment if its `novelty` is below this, 0-1, unless a tool changed something in it or it is of an imported ' +
      "conversation. Null returns to the deployment's EPISODIC_NOVELTY_MIN.",
  },
  mergeWindowHours: {
    read:
      'A segment may be merged into an episode of the same theme if it begins at most this many hours, 0-720, after the end ' +
      `of the episode. Segments that were merged into an episode do not move its end. Only the ${NEWEST_COMPARED} newest ` +
      'episodes are compared.',
    set:
      'Merge a segment into an episode of the same theme only if it begins at most this many hours, 0-720, after the end of ' +
      `the episode. Segments that were merged into an episode do not move its end. Only the ${NEWEST_COMPARED} newest ` +
      "episodes are compared. Null returns to the deployment's EPISODIC_MERGE_WINDOW_HOURS.",
  },
  windowTurns: {
    read:
      'The title and summary of a segment are written from at most this many of its newest turns, 3-40. Without effect where a ' +
      'model described the segment when it found its boundaries.',
    set:
      'Write the title and summary of a segment from at most this many of its newest turns: 3-40. Without effect where a model ' +
      "describes the segment when it finds its boundaries. Null returns to the deployment's EPISODIC_WINDOW_N.",
  },
} satisfies Record<keyof Required<CaptureSettings>, { read: string; set: string }>;

const CaptureSettingsType = builder.objectRef<CaptureKnobs>('CaptureSettings').implement({
  description:
    'The settings in force for capture, the decision whether a closed segment becomes an episode of its own. Each is the ' +
    "user's own value or, if there is none, the deployment's EPISODIC_* setting.",
  fields: (t) => ({
    everything: t.exposeBoolean('everything', { description: ABOUT.everything.read }),
    cooldownTurns: t.exposeInt('cooldownTurns', { description: ABOUT.cooldownTurns.read }),
    cooldownMinutes: t.exposeFloat('cooldownMinutes', { description: ABOUT.cooldownMinutes.read }),
    maxPerDay: t.exposeInt('maxPerDay', { description: ABOUT.maxPerDay.read }),
    noveltyMin: t.exposeFloat('noveltyMin', { description: ABOUT.noveltyMin.read }),
    mergeWindowHours: t.exposeFloat('mergeWindowHours', {
      description: ABOUT.mergeWindowHours.read,
    }),
    windowTurns: t.exposeInt('windowTurns', { description: ABOUT.windowTurns.read }),
  }),
});

export const CaptureSettingsInput = builder.inputType('CaptureSettingsInput', {
  description:
    "Changes to a user's own capture settings. Fields that are left out stay as they are; null returns to the deployment's value.",
  fields: (t) => ({
    everything: t.boolean({ description: ABOUT.everything.set }),
    cooldownTurns: t.int({ description: ABOUT.cooldownTurns.set }),
    cooldownMinutes: t.float({ description: ABOUT.cooldownMinutes.set }),
    maxPerDay: t.int({ description: ABOUT.maxPerDay.set }),
    noveltyMin: t.float({ description: ABOUT.noveltyMin.set }),
    mergeWindowHours: t.float({ description: ABOUT.mergeWindowHours.set }),
    windowTurns: t.int({ description: ABOUT.windowTurns.set }),
  }),
});

builder.prismaObjectField('User', 'captureSettings', (t) =>
  t.field({
    type: CaptureSettingsType,
    description:
      'The settings that decide which segments of this user become episodes. `configureUser` changes them.',
    select: { captureSettings: true },
    resolve: ({ captureSettings }, _args, { app }) =>
      knobsFor(app.config.capture, jsonOf<CaptureSettings | null>(captureSettings)),
  }),
);
