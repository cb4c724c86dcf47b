import {
  type ApiKey,
  createApiKey,
  listApiKeys,
  revokeApiKey,
  rotateApiKey,
} from '../auth/api-keys.ts';
import { Forbidden, InvalidInput, NotFound } from '../domain/errors.ts';
import { builder } from './builder.ts';

const ApiKeyType = builder.objectRef<ApiKey>('ApiKey').implement({
  description: "A server's key to this deployment. Only its hash is stored.",
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Names the key, to revoke it.' }),
    name: t.exposeString('name', { description: 'What it is for.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was made.' }),
    revokedAt: t.expose('revokedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Since when it does not work any more.',
    }),
    previousUntil: t.expose('previousUntil', {
      type: 'DateTime',
      nullable: true,
      description: 'Until when the secret before the last rotation works.',
    }),
  }),
});

const CreatedApiKey = builder
  .objectRef<{ key: ApiKey; secret: string }>('CreatedApiKey')
  .implement({
    description: 'A key with its new secret.',
    fields: (t) => ({
      key: t.expose('key', { type: ApiKeyType, description: 'The key.' }),
      secret: t.exposeString('secret', {
        description: 'Send it as "Authorization: Bearer …". It is shown this once.',
      }),
    }),
  });

builder.queryField('apiKeys', (t) =>
  t.field({
    type: [ApiKeyType],
    description: 'The keys of this deployment. For API keys and the local user.',
    authScopes: { admin: true },
    resolve: (_root, _args, { app }) => listApiKeys(app),
  }),
);

builder.mutationField('createApiKey', (t) =>
  t.field({
    type: CreatedApiKey,
    description:
      'Makes a key. From the first one on, an open server asks for credentials. For API keys and the local user.',
    authScopes: { admin: true },
    errors: { types: [InvalidInput, Forbidden] },
    args: {
      name: t.arg.string({ required: true, description: 'What it is for, 1-100 characters.' }),
    },
    resolve: (_root, { name }, { app }) => createApiKey(app, name),
  }),
);

builder.mutationField('rotateApiKey', (t) =>
  t.field({
    type: CreatedApiKey,
    description: 'Gives a key a new secret. For API keys and the local user.',
    authScopes: { admin: true },
    errors: { types: [NotFound, InvalidInput, Forbidden] },
    args: {
      id: t.arg.id({ required: true, description: 'The `id` of the key.' }),
      graceMinutes: t.arg.int({
        defaultValue: 0,
        description:
          'How long the old secret goes on working, 0-10080; it ends at once by default.',
      }),
    },
    resolve: (_root, { id, graceMinutes }, { app }) => rotateApiKey(app, id, graceMinutes ?? 0),
  }),
);

builder.mutationField('revokeApiKey', (t) =>
  t.field({
    type: ApiKeyType,
    description: 'Ends a key. For API keys and the local user.',
    authScopes: { admin: true },
    errors: { types: [NotFound, Forbidden] },
    args: { id: t.arg.id({ required: true, description: 'The `id` of the key.' }) },
    resolve: (_root, { id }, { app }) => revokeApiKey(app, id),
  }),
);
