import type { Context } from '../../context.ts';
import { InvalidInput, NotFound } from '../../domain/core/errors.ts';
import type { Viewer } from '../../domain/core/viewer.ts';
import { userIdSchema } from '../../domain/turns/turn.ts';
import {
  type Download,
  exportMemory,
  offerDownload,
  redeemDownload,
} from '../../remember/operations/export-memory.ts';
import { importArchive } from '../../remember/operations/import-archive.ts';
import type { Spool } from '../../remember/operations/spool.ts';
import { requireWrite } from '../core/access.ts';
import { builder } from '../core/builder.ts';
import { describeOwner } from '../core/owner-argument.ts';
import { userOf } from '../core/request-context.ts';

// http/ knows steps by schema/ only.
export type { Spool };

const ExportPayload = builder.objectRef<Download>('ExportPayload').implement({
  description: 'A path from which an export can be downloaded once, without further credentials.',
  fields: (t) => ({
    url: t.exposeString('url', {
      description:
        'Path on this server, with a ticket for one download: keep it secret. A GET returns the archive, in lines of JSON, ' +
        'as the memory is at that moment. The next call of `exportMemory` for the user makes the ticket invalid. With ' +
        'credentials (access WRITE or ALL) instead of the ticket, the archive can be downloaded any number of times.',
    }),
    expiresAt: t.expose('expiresAt', {
      type: 'DateTime',
      description: 'Until when the download may begin: ten minutes after the call.',
    }),
  }),
});

builder.mutationField('exportMemory', (t) =>
  t.field({
    type: ExportPayload,
    description:
      'Returns a path from which the whole memory can be downloaded as an archive. To restore the memory word for word, POST ' +
      'the archive to /import/<user>, where <user> is any new user. Each download is logged as MEMORY_EXPORTED when it ' +
      'begins.',
    errors: { types: [InvalidInput, NotFound] },
    args: {
      userId: t.arg.string({
        description: describeOwner('The user whose memory is exported'),
      }),
    },
    resolve: (_root, { userId }, { app, viewer }) => offerDownload(app, userOf(viewer, userId)),
  }),
);

/**
 * Export and import for the HTTP endpoints of archives. Both write to the event log, so both need access WRITE.
 * @throws NotFound if a user token names another user
 * @throws Forbidden for a key that may only read
 */
export const archives = {
  read: async (app: Context, viewer: Viewer, userId: string) => {
    requireWrite(viewer);
    return exportMemory(app, userOf(viewer, userId));
  },
  write: async (app: Context, viewer: Viewer, userId: string, bytes: AsyncIterable<Uint8Array>) => {
    requireWrite(viewer);
    return importArchive(app, userOf(viewer, userId), bytes);
  },
  /** Takes a ticket, which is valid once. @returns what exports the memory; null if the ticket is not valid */
  redeem: async (app: Context, userId: string, ticket: string) =>
    userIdSchema.safeParse(userId).success && (await redeemDownload(app, userId, ticket))
      ? () => exportMemory(app, userId)
      : null,
};
