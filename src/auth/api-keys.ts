import { createHash, randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { AuthContext, Context } from '../context.ts';
import type { ApiKeyRow, FoundKey } from '../db/operations/api-keys.ts';
import { NotFound } from '../domain/core/errors.ts';
import { parse } from '../domain/core/parse.ts';
import { ACCESS, type Access } from '../domain/core/viewer.ts';
import { nameSchema, userIdSchema } from '../domain/turns/turn.ts';

export type ApiKey = ApiKeyRow;

const PREFIX = 'mnemo_';

/** What a key opens: one user's memory, or all (null), and what may be done there. */
export type KeyGrant = { userId: string | null; access: Access };

const keySchema = z.object({
  name: nameSchema,
  userId: userIdSchema.nullable(),
  access: z.enum(ACCESS),
});

/**
 * Creates a key with a secret of 256 random bits. Only the SHA-256 of the secret is stored. An unsalted
 * hash is enough here: a random secret cannot be found by a dictionary attack.
 * @throws InvalidInput
 */
export async function createApiKey(
  ctx: Context,
  name: string,
  { userId, access }: KeyGrant = { userId: null, access: 'ALL' },
): Promise<{ key: ApiKey; secret: string }> {
  const parsed = parse(keySchema, { name, userId, access }, null);
  const secret = makeSecret();
  const key = await ctx.deployment().apiKeys.insert({ ...parsed, hash: hashSecret(secret) });
  // The first key closes an open server, so every process must check the credentials of its connections again.
  ctx.publisher.publish(null);
  ctx.logger.info({ keyId: key.id, userId: key.userId, access: key.access }, 'api_key.create');
  return { key, secret };
}

const graceSchema = z
  .int('must be whole minutes')
  .min(0, 'must be 0 or more minutes')
  .max(10_080, 'must be at most 10,080 minutes (one week)');

/**
 * Gives a key a new secret. The old secret stays valid for `graceMinutes`; with 0 it is rejected at once.
 * @throws NotFound, InvalidInput
 */
export async function rotateApiKey(
  ctx: Context,
  id: string,
  graceMinutes: number,
): Promise<{ key: ApiKey; secret: string }> {
  const grace = parse(graceSchema, graceMinutes, 'graceMinutes');
  const secret = makeSecret();
  const hash = hashSecret(secret);
  const key =
    z.uuid().safeParse(id).success && (await ctx.deployment().apiKeys.rotate(id, hash, grace));
  if (!key) throw new NotFound('valid API key', id);
  ctx.publisher.publish(null);
  ctx.logger.info({ keyId: key.id, graceMinutes: grace }, 'api_key.rotate');
  return { key, secret };
}

/** Revokes a key. @throws NotFound */
export async function revokeApiKey(ctx: Context, id: string): Promise<ApiKey> {
  const key = z.uuid().safeParse(id).success && (await ctx.deployment().apiKeys.revoke(id));
  if (!key) throw new NotFound('API key', id);
  ctx.publisher.publish(null);
  ctx.logger.info({ keyId: key.id }, 'api_key.revoke');
  return key;
}

/** All keys, with their uses up to now in this process. */
export async function listApiKeys(ctx: AuthContext): Promise<ApiKey[]> {
  await ctx.keyUses.flush();
  return ctx.deployment().apiKeys.list();
}

/** Finds the valid key with this secret; null if no key has it or the key was revoked. */
export const findApiKey = (ctx: Context, secret: string): Promise<FoundKey | null> =>
  ctx.deployment().apiKeys.findValid(hashSecret(secret));

export const isApiKey = (token: string): boolean => token.startsWith(PREFIX);

const makeSecret = () => PREFIX + randomBytes(32).toString('base64url');

const hashSecret = (secret: string) => createHash('sha256').update(secret).digest();
