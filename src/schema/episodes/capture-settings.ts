import { type CaptureKnobs, NEWEST_COMPARED } from '../../domain/episodes/capture.ts';
import { type CaptureSettings, knobsFor } from '../../domain/episodes/capture-settings.ts';
import { builder } from '../core/builder.ts';
import { jsonOf } from '../core/rows.ts';

const ABOUT = {
  everything: 'True if every segment becomes an episode, without selection.',
  cooldownTurns:
    'Turns, by anybody, after the last captured segment until a new episode may be created, 0-1000. It may be created ' +
    'earlier once `cooldownMinutes` have passed, or if it is a key moment.',
  cooldownMinutes:
    'Minutes after the last captured segment until a new episode may be created, 0-10080. It may be created earlier ' +
    'once `cooldownTurns` turns have followed, or if it is a key moment.',
  maxPerDay:
    "The most episodes created per day of the user's calendar, 1-1000. Merging and key moments are not limited.",
  noveltyMin:
    'The smallest `novelty`, 0-1, of a segment that is captured. A segment in which a tool changed something needs none.',
  mergeWindowHours:
    "How many hours after an episode's end a segment of its theme may begin and still be merged into it, 0-720; only the " +
    `${NEWEST_COMPARED} newest episodes count.`,
  windowTurns: 'An episode is described from at most this many of its newest turns, 3-40.',
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
