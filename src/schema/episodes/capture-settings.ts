import type { CaptureKnobs } from '../../domain/episodes/capture.ts';
import { type CaptureSettings, knobsFor } from '../../domain/episodes/capture-settings.ts';
import { builder } from '../core/builder.ts';
import { jsonOf } from '../core/rows.ts';

const ABOUT = {
  everything: 'True if every segment becomes an episode, without selection.',
  cooldownTurns:
    'Cooldown in turns, 0-1000: a new episode is created after this many turns, or after `cooldownMinutes`.',
  cooldownMinutes:
    'Cooldown in minutes, 0-10080: a new episode is created after this time, or after `cooldownTurns`.',
  maxPerDay: "The most episodes created per day of the user's calendar, 1-1000.",
  noveltyMin: "The share of a segment's words, 0-1, that must be new for it to become an episode.",
  mergeWindowHours:
    'Hours during which segments of the same theme are merged into an episode, 0-720.',
  windowTurns: 'How many of its newest turns are used to describe an episode, 3-40.',
} satisfies Record<keyof Required<CaptureSettings>, string>;

const CaptureSettingsType = builder.objectRef<CaptureKnobs>('CaptureSettings').implement({
  description:
    "How selective the capture of episodes is: the user's own values, and the deployment's EPISODIC_* settings for the rest.",
  fields: (t) => ({
    everything: t.exposeBoolean('everything', { description: ABOUT.everything }),
    cooldownTurns: t.exposeInt('cooldownTurns', { description: ABOUT.cooldownTurns }),
    cooldownMinutes: t.exposeFloat('cooldownMinutes', { description: ABOUT.cooldownMinutes }),
    maxPerDay: t.exposeInt('maxPerDay', { description: ABOUT.maxPerDay }),
    noveltyMin: t.exposeFloat('noveltyMin', { description: ABOUT.noveltyMin }),
    mergeWindowHours: t.exposeFloat('mergeWindowHours', { description: ABOUT.mergeWindowHours }),
    windowTurns: t.exposeInt('windowTurns', { description: ABOUT.windowTurns }),
  }),
});

export const CaptureSettingsInput = builder.inputType('CaptureSettingsInput', {
  description:
    "Changes to a user's own capture settings. Fields that are left out stay as they are; null returns to the deployment's value.",
  fields: (t) => ({
    everything: t.boolean({ description: ABOUT.everything }),
    cooldownTurns: t.int({ description: ABOUT.cooldownTurns }),
    cooldownMinutes: t.float({ description: ABOUT.cooldownMinutes }),
    maxPerDay: t.int({ description: ABOUT.maxPerDay }),
    noveltyMin: t.float({ description: ABOUT.noveltyMin }),
    mergeWindowHours: t.float({ description: ABOUT.mergeWindowHours }),
    windowTurns: t.int({ description: ABOUT.windowTurns }),
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
