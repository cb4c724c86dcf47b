import type { Access, Viewer } from '../../domain/core/viewer.ts';
import { builder } from '../core/builder.ts';

export const AccessEnum = builder.enumType('ApiKeyAccess', {
  description: 'What an API key permits.',
  values: {
    READ: {
      description:
        'Queries and subscriptions. Nothing is changed: no mutation, no export or import, and a recall records neither which ' +
        'episodes it showed nor which facts it used.',
    },
    WRITE: {
      description:
        'Everything that READ permits, and also exports, imports and all changes of a memory except `forget`. To manage API keys or the ' +
        'linking setting of the deployment, ALL is needed.',
    },
    ALL: {
      description:
        'Everything, `forget` included; a key that acts for all users also manages the deployment.',
    },
  } satisfies Record<Access, { description: string }>,
});

const KINDS = { local: 'LOCAL', user: 'USER', key: 'ALL_USERS' } as const;

const SessionType = builder.objectRef<Viewer>('Session').implement({
  description: 'Who is calling, by the credentials of the request.',
  fields: (t) => ({
    kind: t.field({
      type: builder.enumType('SessionKind', {
        description: 'For which users a caller can act, and with which credentials.',
        values: {
          LOCAL: {
            description:
              'For the user "local", without credentials. Only an open server permits this: one that only its own machine ' +
              'can reach, without user tokens in its settings, and on which no API key was ever created.',
          },
          USER: {
            description:
              'For one user, by a user token (a JWT that names the user) or an API key for one user.',
          },
          ALL_USERS: {
            description: 'For any user whom the caller names, by an API key for all users.',
          },
        },
      }),
      description: 'Whether the caller acts for the local user, for one user or for all users.',
      resolve: ({ kind }) => KINDS[kind],
    }),
    userId: t.string({
      nullable: true,
      description:
        'The only user whose memory the caller reaches; null if the caller acts for all users.',
      resolve: (viewer) => (viewer.kind === 'key' ? null : viewer.userId),
    }),
    access: t.expose('access', {
      type: AccessEnum,
      description:
        'What the caller may do: what the API key permits, or ALL with a user token and for the local user.',
    }),
    keyName: t.string({
      nullable: true,
      description: 'The name of the API key; null if the caller does not use one.',
      resolve: ({ key }) => key?.name ?? null,
    }),
    expiresAt: t.expose('expiresAt', {
      type: 'DateTime',
      nullable: true,
      description:
        'When the credentials expire: a token at its expiry, the former secret of a rotated key at the end of its grace period. ' +
        'Null if they do not expire, as with the current secret of a key.',
    }),
  }),
});

builder.queryField('session', (t) =>
  t.field({
    type: SessionType,
    description: 'Who is calling, and what the caller may do.',
    resolve: (_root, _args, { viewer }) => viewer,
  }),
);
