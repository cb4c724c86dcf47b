import { InvalidInput, NotFound } from '../../domain/core/errors.ts';
import { closeThread, openThread, updateThread } from '../../remember/threads/manage-thread.ts';
import { builder } from '../core/builder.ts';
import { describeOwner } from '../core/owner-argument.ts';
import { localId, userOf } from '../core/request-context.ts';
import { asNode } from '../core/rows.ts';
import { ThreadNode } from './thread.ts';

const errors = { types: [InvalidInput, NotFound] };

builder.mutationField('openThread', (t) =>
  t.field({
    type: ThreadNode,
    description:
      'Opens a thread before its first turn. The thread is explicit: turns are added to it only by its `id`, on whatever channel.',
    errors,
    args: {
      userId: t.arg.string({
        description: describeOwner('The user for whom the thread is opened'),
      }),
      channel: t.arg.string({
        required: true,
        description: 'The channel on which it is opened, such as "web".',
      }),
      title: t.arg.string({
        description: 'A title for the thread, 1-200 characters, not blank; none by default.',
      }),
      inactivityTimeoutMinutes: t.arg.int({
        description:
          'Minutes of inactivity after which this thread becomes idle, 1-43200. Defaults to EXPLICIT_IDLE_MINUTES, a setting of the deployment.',
      }),
    },
    resolve: async (_root, { userId, ...input }, { app, viewer }) =>
      asNode(ThreadNode, await openThread(app, userOf(viewer, userId), input)),
  }),
);

builder.mutationField('updateThread', (t) =>
  t.field({
    type: ThreadNode,
    description:
      'Changes the title or timeout of a thread in any state. An argument that is left ' +
      'out changes nothing. An idle thread stays idle, even with a longer timeout.',
    errors,
    args: {
      userId: t.arg.string({
        description: describeOwner('The user whose thread is changed'),
      }),
      threadId: t.arg.id({ required: true, description: 'The `id` of the thread to change.' }),
      title: t.arg.string({
        description: 'The new title, 1-200 characters; null removes it.',
      }),
      inactivityTimeoutMinutes: t.arg.int({
        description:
          'Minutes of inactivity after which this thread becomes idle, 1-43200. Null returns an implicit thread to the timeout of the ' +
          'user, else of the channel of its last turn, else of the deployment, and an explicit one to EXPLICIT_IDLE_MINUTES.',
      }),
    },
    resolve: async (_root, { userId, threadId, ...input }, { app, viewer }) => {
      const owner = userOf(viewer, userId);
      const id = localId('Thread', owner, threadId);
      return asNode(ThreadNode, await updateThread(app, owner, { threadId: id, input }));
    },
  }),
);

builder.mutationField('closeThread', (t) =>
  t.field({
    type: ThreadNode,
    description:
      'Closes a thread for good: from then on it takes only late turns, which were said at or after its `startedAt` and before ' +
      'its `lastActivityAt`.',
    errors,
    args: {
      userId: t.arg.string({
        description: describeOwner('The user whose thread is closed'),
      }),
      threadId: t.arg.id({ required: true, description: 'The `id` of the thread to close.' }),
    },
    resolve: async (_root, { userId, threadId }, { app, viewer }) => {
      const owner = userOf(viewer, userId);
      const id = localId('Thread', owner, threadId);
      return asNode(ThreadNode, await closeThread(app, owner, id));
    },
  }),
);
