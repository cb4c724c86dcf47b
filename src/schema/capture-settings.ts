import type { CaptureKnobs } from '../domain/capture.ts';
import { type CaptureSettings, knobsFor } from '../domain/capture-settings.ts';
import { builder } from './builder.ts';

const ABOUT = {
  everything: 'Whether every segment becomes an episode, whatever is said in it.',
  cooldownTurns: 'Turns after which an episode may follow another, 0-1000.',
  cooldownMinutes: 'Minutes after which it may in any case, 0-10080.',
  maxPerDay: "Most episodes created on one day of the user's, 1-1000.",
  noveltyMin: 'Least share of its words, 0-1, that must be new in an episode.',
  mergeWindowHours: 'Hours for which an episode takes in others of its theme, 0-720.',
  windowTurns: 'An episode is described by so many of its newest turns, 3-40.',
} satisfies Record<keyof Required<CaptureSettings>, string>;

const CaptureSettingsType = builder.objectRef<CaptureKnobs>('CaptureSettings').implement({
  description:
    "How choosy the capture of episodes is (seed 002): the deployment's settings, or the user's own.",
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
    "A user's own settings of capture. What is left out stays; null goes back to the deployment's.",
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
    description: 'How choosy the capture of its episodes is.',
    select: { captureSettings: true },
    resolve: ({ captureSettings }, _args, { app }) =>
      knobsFor(app.config.capture, captureSettings as CaptureSettings | null),
  }),
);
