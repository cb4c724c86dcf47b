import { type CaptureKnobs, NEWEST_COMPARED } from '../../domain/episodes/capture.ts';
import { type CaptureSettings, knobsFor } from '../../domain/episodes/capture-settings.ts';
import { builder } from '../core/builder.ts';
import { jsonOf } from '../core/rows.ts';

/** What a setting is when it is read, and what it may be set to. */
const ABOUT = {
  everything: {
    read: 'True if every segment becomes an episode, without selection. Segments of imported conversations always do.',
    set:
      'True to make every closed segment an episode; false to select, except from imported conversations. Null returns to ' +
      'EPISODIC_CAPTURE.',
  },
  cooldownTurns: {
    read:
      'Turns, by anybody, that must follow the last segment that was created or merged, those of the new one included, before ' +
      'an episode is created: 0-1000. `cooldownMinutes` serves instead, and a key moment needs neither.',
    set:
      'Turns to wait after the last segment that was created or merged before another episode is created: 0-1000, or until ' +
      '`cooldownMinutes` have passed. Key moments do not wait, and with 0 nothing does. Null returns to EPISODIC_COOLDOWN_TURNS.',
  },
  cooldownMinutes: {
    read:
      'Minutes that must pass from the end of the last segment that was created or merged to the end of the new one before an ' +
      'episode is created: 0-10080. `cooldownTurns` serves instead, and a key moment needs neither.',
    set:
      'Minutes to wait after the last segment that was created or merged before another episode is created: 0-10080, or until ' +
      '`cooldownTurns` have followed. Key moments do not wait, and with 0 nothing does. Null returns to ' +
      'EPISODIC_COOLDOWN_MINUTES.',
  },
  maxPerDay: {
    read: "The most episodes created per day of the user's calendar, 1-1000. Merging into earlier ones and key moments are not limited.",
    set:
      "The most episodes to create per day of the user's calendar, 1-1000; key moments may exceed it. Null returns to " +
      'EPISODIC_MAX_PER_DAY.',
  },
  noveltyMin: {
    read: 'The smallest `novelty`, 0-1, of a segment that is created or merged. A segment in which a tool changed something needs none.',
    set:
      'The `novelty`, 0-1, below which a segment is skipped, unless a tool changed something in it. Null returns to ' +
      'EPISODIC_NOVELTY_MIN.',
  },
  mergeWindowHours: {
    read:
      "A segment may be merged into an episode of its theme if it begins within this many hours, 0-720, of the episode's end. The " +
      `end is that of its own turns: segments merged into it do not extend it. Only the ${NEWEST_COMPARED} newest episodes are compared.`,
    set:
      "Merge a segment into an episode of its theme only if it begins within this many hours, 0-720, of the episode's end. The " +
      'end is that of its own turns: segments merged into it do not extend it. Only the ' +
      `${NEWEST_COMPARED} newest episodes are compared. Null returns to ` +
      'EPISODIC_MERGE_WINDOW_HOURS.',
  },
  windowTurns: {
    read: 'The title and summary of a segment are written from at most this many of its newest turns, 3-40.',
    set:
      'Write the title and summary of a segment from at most this many of its newest turns: 3-40. Null returns to ' +
      'EPISODIC_WINDOW_N.',
  },
} satisfies Record<keyof Required<CaptureSettings>, { read: string; set: string }>;

const CaptureSettingsType = builder.objectRef<CaptureKnobs>('CaptureSettings').implement({
  description:
    "How selective capture is, the decision which closed segments become episodes of their own: the user's own values, and the " +
    "deployment's EPISODIC_* settings for the rest.",
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
    description: "How selective the capture of this user's episodes is.",
    select: { captureSettings: true },
    resolve: ({ captureSettings }, _args, { app }) =>
      knobsFor(app.config.capture, jsonOf<CaptureSettings | null>(captureSettings)),
  }),
);
