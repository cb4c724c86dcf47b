import type { Context } from '../../context.ts';
import { InvalidInput, NotFound } from '../../domain/core/errors.ts';
import type { Viewer } from '../../domain/core/viewer.ts';
import { archiveOf, exportMemory } from '../../remember/operations/export-memory.ts';
import { importArchive } from '../../remember/operations/import-archive.ts';
import { builder } from '../core/builder.ts';
import { userOf } from '../core/request-context.ts';

const ExportPayload = builder.objectRef<{ url: string }>('ExportPayload').implement({
  description: 'The place where an export can be downloaded.',
  fields: (t) => ({
    url: t.exposeString('url', {
      description:
        'Path on this server. A GET with the same credentials returns the archive as lines of JSON, one row each, as the rows are at that moment.',
    }),
  }),
});

builder.mutationField('exportMemory', (t) =>
  t.field({
    type: ExportPayload,
    description:
      'Returns the path from which the whole memory can be downloaded as an archive. A POST to /import/<user> ' +
      'restores it under any name. The download is logged as MEMORY_EXPORTED.',
    errors: { types: [InvalidInput, NotFound] },
    args: {
      userId: t.arg.string({
        description:
          "The user whose memory it is. Required with an API key; with a user token it can only be the token's own user.",
      }),
    },
    resolve: (_root, { userId }, { app, viewer }) => archiveOf(app, userOf(viewer, userId)),
  }),
);

/** Export and import for the HTTP endpoints of archives. @throws NotFound if a user token names another user */
export const archives = {
  read: (app: Context, viewer: Viewer, userId: string) => exportMemory(app, userOf(viewer, userId)),
  write: (app: Context, viewer: Viewer, userId: string, bytes: AsyncIterable<Uint8Array>) =>
    importArchive(app, userOf(viewer, userId), bytes),
};
