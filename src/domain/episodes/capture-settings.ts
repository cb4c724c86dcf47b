import { z } from 'zod';
import type { CaptureKnobs } from './capture.ts';

/** The settings of capture and their bounds (requirements 6.10). */
export const captureLimits = {
  everything: z.boolean(),
  cooldownTurns: z.int().min(0).max(1_000),
  cooldownMinutes: z.number().min(0).max(10_080),
  maxPerDay: z.int().min(1).max(1_000),
  noveltyMin: z.number().min(0).max(1),
  mergeWindowHours: z.number().min(0).max(720),
  windowTurns: z.int().min(3).max(40),
} satisfies Partial<Record<keyof CaptureKnobs, z.ZodType>>;

const { everything, cooldownTurns, cooldownMinutes, maxPerDay, ...others } = captureLimits;

/** Changes to a user's own settings: an omitted setting stays as it is, null returns to the deployment's. */
export const captureChangesSchema = z.object({
  everything: everything.nullish(),
  cooldownTurns: cooldownTurns.nullish(),
  cooldownMinutes: cooldownMinutes.nullish(),
  maxPerDay: maxPerDay.nullish(),
  noveltyMin: others.noveltyMin.nullish(),
  mergeWindowHours: others.mergeWindowHours.nullish(),
  windowTurns: others.windowTurns.nullish(),
});
export type CaptureChanges = z.output<typeof captureChangesSchema>;

/** A user's own settings, beside those of the deployment. */
export type CaptureSettings = Partial<Pick<CaptureKnobs, keyof typeof captureLimits>>;

/** The settings in force for a user. */
export const knobsFor = (knobs: CaptureKnobs, settings: CaptureSettings | null): CaptureKnobs => ({
  ...knobs,
  ...settings,
});
