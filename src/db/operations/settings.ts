import type { CaptureChanges } from '../../domain/episodes/capture-settings.ts';
import type { ChannelKind, ChannelRule } from '../../domain/turns/channel.ts';
import type { Statement, Tx } from '../core/database.ts';

const SAVE_USER: Statement = {
  name: 'settings-user',
  text: `
UPDATE users SET time_zone = CASE WHEN $2 THEN $3 ELSE time_zone END,
  inactivity_timeout_minutes = CASE WHEN $4 THEN $5 ELSE inactivity_timeout_minutes END,
  capture_settings = jsonb_strip_nulls(coalesce(capture_settings, '{}') || $6)
WHERE user_id = $1`,
};

/** Changes a user's settings; an absent one stays, null goes back to the default. */
export async function saveUser(
  tx: Tx,
  settings: {
    timeZone?: string | null;
    inactivityTimeoutMinutes?: number | null;
    capture?: CaptureChanges;
  },
): Promise<void> {
  await tx.query(SAVE_USER, [
    tx.userId,
    settings.timeZone !== undefined,
    settings.timeZone ?? null,
    settings.inactivityTimeoutMinutes !== undefined,
    settings.inactivityTimeoutMinutes ?? null,
    JSON.stringify(settings.capture ?? {}),
  ]);
}

const SAVE_CHANNEL: Statement = {
  name: 'settings-channel',
  text: `
INSERT INTO channel_settings (user_id, name, kind, inactivity_timeout_minutes)
VALUES ($1, $2, $3::"ChannelKind", $4)
ON CONFLICT (user_id, name) DO UPDATE SET kind = excluded.kind,
  inactivity_timeout_minutes = excluded.inactivity_timeout_minutes`,
};

const TIME_ZONE: Statement = {
  name: 'settings-time-zone',
  text: `SELECT time_zone AS "timeZone" FROM users WHERE user_id = $1`,
};

/** A user's time zone (IANA name); null where it is not known. */
export async function timeZone(tx: Tx): Promise<string | null> {
  const [row] = await tx.query<{ timeZone: string | null }>(TIME_ZONE, [tx.userId]);
  return row?.timeZone ?? null;
}

const CHANNEL_RULE: Statement = {
  name: 'settings-channel-rule',
  text: `
SELECT kind, inactivity_timeout_minutes AS "inactivityTimeoutMinutes" FROM channel_settings
WHERE user_id = $1 AND name = $2`,
};

/** A user's own rule for a channel; null where the deployment's holds. */
export async function channelRuleOf(tx: Tx, name: string): Promise<ChannelRule | null> {
  return (await tx.query<ChannelRule>(CHANNEL_RULE, [tx.userId, name]))[0] ?? null;
}

/** Sets a user's own rule for a channel. */
export async function saveChannel(
  tx: Tx,
  rule: { name: string; kind: ChannelKind; inactivityTimeoutMinutes: number | null },
): Promise<void> {
  await tx.query(SAVE_CHANNEL, [tx.userId, rule.name, rule.kind, rule.inactivityTimeoutMinutes]);
}

const DELETE_CHANNEL: Statement = {
  name: 'settings-channel-delete',
  text: 'DELETE FROM channel_settings WHERE user_id = $1 AND name = $2',
};

/** Removes a user's own rule for a channel. */
export async function deleteChannel(tx: Tx, name: string): Promise<void> {
  await tx.query(DELETE_CHANNEL, [tx.userId, name]);
}
