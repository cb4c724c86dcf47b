import { z } from 'zod';
import type { MemoryContext } from '../../context.ts';
import { parse } from '../../domain/core/parse.ts';
import { timeZoneSchema } from '../../domain/core/time-zone.ts';
import { captureChangesSchema, captureLimits } from '../../domain/episodes/capture-settings.ts';
import { channelSchema, timeoutSchema } from '../../domain/turns/turn.ts';

const userSchema = z.object({
  timeZone: timeZoneSchema.nullish(),
  inactivityTimeoutMinutes: timeoutSchema.nullish(),
  capture: captureChangesSchema.nullish(),
});

/** Resets every setting of capture to the deployment's. */
const RESET_CAPTURE = Object.fromEntries(Object.keys(captureLimits).map((name) => [name, null]));

/**
 * Changes a user's settings; undefined leaves a setting unchanged, null resets it to the default.
 * @throws InvalidInput
 */
export async function configureUser(
  ctx: MemoryContext,
  userId: string,
  input: unknown,
): Promise<void> {
  const settings = parse(userSchema, input, null);
  const given = Object.fromEntries(
    Object.entries({
      ...settings,
      capture: settings.capture === null ? RESET_CAPTURE : settings.capture,
    }).filter(([, value]) => value !== undefined),
  );
  await ctx.memory(userId).write((memory) => memory.settings.saveUser(given));
}

const channelSettingSchema = z.object({
  name: channelSchema,
  kind: z.enum(['EXPLICIT', 'IMPLICIT']),
  inactivityTimeoutMinutes: timeoutSchema.nullish().transform((minutes) => minutes ?? null),
});

/**
 * Sets a user's own rule for a channel.
 * @returns the channel's name as stored
 * @throws InvalidInput
 */
export async function configureChannel(
  ctx: MemoryContext,
  userId: string,
  input: unknown,
): Promise<string> {
  const rule = parse(channelSettingSchema, input, null);
  await ctx.memory(userId).write((memory) => memory.settings.saveChannel(rule));
  return rule.name;
}

/**
 * Removes a user's own rule for a channel, if there is one.
 * @throws InvalidInput
 */
export async function resetChannel(
  ctx: MemoryContext,
  userId: string,
  channel: string,
): Promise<void> {
  const { name } = parse(z.object({ name: channelSchema }), { name: channel }, null);
  await ctx.memory(userId).write((memory) => memory.settings.deleteChannel(name));
}
