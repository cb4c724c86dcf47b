import {
  createApiKey,
  type KeyGrant,
  listApiKeys,
  revokeApiKey,
  rotateApiKey,
} from '../../auth/api-keys.ts';
import type { Config } from '../../config/config.ts';
import { DataFolderLocked } from '../../db/embedded/folder-lock.ts';
import { createGraphQLClient } from './graphql-over-http.ts';
import { ownAddress } from './own-address.ts';
import { CommandFailed } from './run-command.ts';

export type ListedKey = KeyGrant & {
  id: string;
  name: string;
  createdAt: Date;
  revokedAt: Date | null;
  previousUntil: Date | null;
  lastUsedAt: Date | null;
};
type NewSecret = { key: ListedKey; secret: string };

/** The API keys of a deployment, in its database or through its running server. */
export type KeyRing = AsyncDisposable & {
  /** The server through which the keys are managed; null when the database is used directly. */
  server: string | null;
  /** @param grant whose memory the key opens, and what may be done there; by default everything for all */
  create(name: string, grant?: KeyGrant): Promise<NewSecret>;
  /** Gives a key a new secret; the old one works for `graceMinutes` more. */
  rotate(id: string, graceMinutes: number): Promise<NewSecret>;
  list(): Promise<ListedKey[]>;
  revoke(id: string): Promise<ListedKey>;
};

/**
 * Opens the keys in the configured database. If a running server has locked the embedded database, the keys are managed
 * through that server instead.
 * @param apiKey the key for the running server, if it requires one
 * @throws CommandFailed when the database is in memory only
 */
export async function openKeyRing(config: Config, apiKey: string | null): Promise<KeyRing> {
  if (config.database.url === null && config.database.folder === null) {
    throw new CommandFailed('DATA_DIR is "memory": keys created here would be lost at once.');
  }
  try {
    // Half of the time that a command takes to start.
    const { createApp } = await import('../../app.ts');
    const ctx = await createApp({
      ...config,
      embedder: 'none',
      reasoner: null,
      logLevel: 'warn',
    });
    return {
      server: null,
      create: (name, grant) => createApiKey(ctx, name, grant),
      rotate: (id, graceMinutes) => rotateApiKey(ctx, id, graceMinutes),
      list: () => listApiKeys(ctx),
      revoke: (id) => revokeApiKey(ctx, id),
      [Symbol.asyncDispose]: () => ctx[Symbol.asyncDispose](),
    };
  } catch (error) {
    if (error instanceof DataFolderLocked) return openOnServer(ownAddress(config), apiKey, error);
    throw error;
  }
}

type KeyJson = KeyGrant &
  Record<'id' | 'name' | 'createdAt', string> &
  Record<'revokedAt' | 'previousUntil' | 'lastUsedAt', string | null>;
type Refusal = { message?: string };

const KEY = 'id name userId access createdAt revokedAt previousUntil lastUsedAt';
const LIST = `{ apiKeys { ${KEY} } }`;
const CREATE = `mutation ($name: String!, $userId: String, $access: ApiKeyAccess) {
  createApiKey(name: $name, userId: $userId, access: $access) { ... on CreatedApiKey { secret key { ${KEY} } } ... on Error { message } }
}`;
const ROTATE = `mutation ($id: ID!, $graceMinutes: Int!) {
  rotateApiKey(id: $id, graceMinutes: $graceMinutes) {
    ... on CreatedApiKey { secret key { ${KEY} } } ... on Error { message } }
}`;
const REVOKE = `mutation ($id: ID!) {
  revokeApiKey(id: $id) { ... on ApiKey { ${KEY} } ... on Error { message } }
}`;

function openOnServer(url: string, apiKey: string | null, locked: DataFolderLocked): KeyRing {
  const client = createGraphQLClient(url, apiKey);
  const request = <Data>(query: string, variables?: Record<string, unknown>) =>
    client.request<Data>(query, variables).catch((error: Error) => {
      throw new CommandFailed(explain(error, url, apiKey, locked), { cause: error });
    });
  return {
    server: url,
    async create(name, grant) {
      type Data = { createApiKey: { secret: string; key: KeyJson } & Refusal };
      const { key, secret, message } = (await request<Data>(CREATE, { name, ...grant }))
        .createApiKey;
      if (message) throw new CommandFailed(message);
      return { key: listed(key), secret };
    },
    async rotate(id, graceMinutes) {
      type Data = { rotateApiKey: { secret: string; key: KeyJson } & Refusal };
      const { key, secret, message } = (await request<Data>(ROTATE, { id, graceMinutes }))
        .rotateApiKey;
      if (message) throw new CommandFailed(message);
      return { key: listed(key), secret };
    },
    list: async () => (await request<{ apiKeys: KeyJson[] }>(LIST)).apiKeys.map(listed),
    async revoke(id) {
      type Data = { revokeApiKey: KeyJson & Refusal };
      const { message, ...key } = (await request<Data>(REVOKE, { id })).revokeApiKey;
      if (message) throw new CommandFailed(message);
      return listed(key);
    },
    async [Symbol.asyncDispose]() {
      client[Symbol.dispose]();
    },
  };
}

const listed = ({
  createdAt,
  revokedAt,
  previousUntil,
  lastUsedAt,
  ...key
}: KeyJson): ListedKey => ({
  ...key,
  createdAt: new Date(createdAt),
  revokedAt: dateOf(revokedAt),
  previousUntil: dateOf(previousUntil),
  lastUsedAt: dateOf(lastUsedAt),
});

const dateOf = (at: string | null): Date | null => (at === null ? null : new Date(at));

function explain(error: Error, url: string, apiKey: string | null, locked: DataFolderLocked) {
  const holder = `The data folder ${locked.folder} is in use${locked.pid === null ? '' : ` by process ${locked.pid}`}`;
  if (error.message.includes('"UNAUTHENTICATED"')) {
    return apiKey === null
      ? `${holder}, so the request went to the server at ${url}, which requires credentials. ` +
          'Set MNEMOGRAPH_API_KEY to one of its keys, or stop the server and try again.'
      : `The server at ${url} does not accept the key of MNEMOGRAPH_API_KEY: it does not exist there or was revoked.`;
  }
  if ('code' in error) {
    return `${holder}, but no server answers at ${url}. Set HOST and PORT to those of the running server, or stop it and try again.`;
  }
  return `${holder}, so the request went to ${url}. ${error.message}`;
}
