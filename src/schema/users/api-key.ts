import {
  type ApiKey,
  createApiKey,
  listApiKeys,
  revokeApiKey,
  rotateApiKey,
} from '../../auth/api-keys.ts';
import { Forbidden, InvalidInput, NotFound } from '../../domain/core/errors.ts';
import { builder } from '../core/builder.ts';
import { AccessEnum } from './session.ts';

const ApiKeyType = builder.objectRef<ApiKey>('ApiKey').implement({
  description:
    'An API key, which lets an application act for any user of this deployment, or for one. Only the hash of its secret is stored.',
  fields: (t) => ({
    id: t.exposeID('id', {
      description:
        'The id of the key, a UUID, to rotate or revoke it. It is no global id: `node` does not know it.',
    }),
    name: t.exposeString('name', {
      description: 'The label that was given to the key when it was created.',
    }),
    userId: t.exposeString('userId', {
      nullable: true,
      description: 'The only user whose memory the key opens; null if the key acts for all users.',
    }),
    access: t.expose('access', {
      type: AccessEnum,
      description: 'What callers may do with the key: read, also write, or everything.',
    }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      description: 'When the key was created.',
    }),
    revokedAt: t.expose('revokedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the key was revoked; null while it is valid.',
    }),
    previousUntil: t.expose('previousUntil', {
      type: 'DateTime',
      nullable: true,
      description:
        'Until when the secret from before the last rotation was or is accepted, unless the key is revoked earlier; null if the ' +
        'key was never rotated.',
    }),
    lastUsedAt: t.expose('lastUsedAt', {
      type: 'DateTime',
      nullable: true,
      description:
        'When the key was last used, to the minute; null if never. Uses on other server processes appear within half a minute.',
    }),
  }),
});

const CreatedApiKey = builder
  .objectRef<{ key: ApiKey; secret: string }>('CreatedApiKey')
  .implement({
    description: 'An API key together with its new secret.',
    fields: (t) => ({
      key: t.expose('key', {
        type: ApiKeyType,
        description: 'The key that was created or rotated, without its secret.',
      }),
      secret: t.exposeString('secret', {
        description:
          'The secret, to be sent as "Authorization: Bearer …". It is shown only this once.',
      }),
    }),
  });

builder.queryField('apiKeys', (t) =>
  t.field({
    type: [ApiKeyType],
    description:
      'All API keys of this deployment, oldest first, revoked ones included. Only an API key with access ALL for all users, or ' +
      'the local user of an open server, may read them.',
    authScopes: { admin: true },
    resolve: (_root, _args, { app }) => listApiKeys(app),
  }),
);

builder.mutationField('createApiKey', (t) =>
  t.field({
    type: CreatedApiKey,
    description:
      'Creates an API key. Once the first key exists, the server accepts no caller without credentials, even after all keys are ' +
      'revoked. ' +
      'Only an API key with access ALL for all users, or the local user of an open server, may create one.',
    authScopes: { admin: true },
    errors: { types: [InvalidInput, Forbidden] },
    args: {
      name: t.arg.string({
        required: true,
        description: 'A label that says what the key is for, 1-100 characters.',
      }),
      userId: t.arg.string({
        description:
          'The only user whose memory the key opens, 1-128 characters; the user need not exist yet. Without it, the key acts for all users.',
      }),
      access: t.arg({
        type: AccessEnum,
        defaultValue: 'ALL',
        description: 'What callers may do with the new key; everything by default.',
      }),
    },
    resolve: (_root, { name, userId, access }, { app }) =>
      createApiKey(app, name, { userId: userId ?? null, access: access ?? 'ALL' }),
  }),
);

builder.mutationField('rotateApiKey', (t) =>
  t.field({
    type: CreatedApiKey,
    description:
      'Replaces the secret of a key. For a revoked or unknown key, the result is a `NotFoundError`. Only an API key with access ' +
      'ALL for all users may do so.',
    authScopes: { admin: true },
    errors: { types: [NotFound, InvalidInput, Forbidden] },
    args: {
      id: t.arg.id({ required: true, description: 'The `id` of the key to rotate.' }),
      graceMinutes: t.arg.int({
        defaultValue: 0,
        description:
          'Minutes for which the old secret is still accepted, 0-10080; with 0, the default, it is refused at once.',
      }),
    },
    resolve: (_root, { id, graceMinutes }, { app }) => rotateApiKey(app, id, graceMinutes ?? 0),
  }),
);

builder.mutationField('revokeApiKey', (t) =>
  t.field({
    type: ApiKeyType,
    description:
      'Revokes a key at once and for good. Only an API key with access ALL for all users, or the local user of an open server, ' +
      'may do so.',
    authScopes: { admin: true },
    errors: { types: [NotFound, Forbidden] },
    args: { id: t.arg.id({ required: true, description: 'The `id` of the key to revoke.' }) },
    resolve: (_root, { id }, { app }) => revokeApiKey(app, id),
  }),
);
