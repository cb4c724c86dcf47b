import type { Context } from '../context.ts';
import { InvalidInput, NotFound } from '../domain/errors.ts';
import type { Viewer } from '../domain/viewer.ts';
import { archiveOf, exportMemory } from '../remember/export-memory.ts';
import { importArchive } from '../remember/import-archive.ts';
import { builder } from './builder.ts';
import { userOf } from './request-context.ts';

const ExportPayload = builder.objectRef<{ url: string }>('ExportPayload').implement({
  description: 'Where a memory can be fetched.',
  fields: (t) => ({
    url: t.exposeString('url', {
      description:
        'Path on this server. A GET with the same credentials answers the archive: lines of JSON, one a row, as they are at that moment.',
    }),
  }),
});

builder.mutationField('exportMemory', (t) =>
  t.field({
    type: ExportPayload,
    description:
      'Hands out a whole memory as an archive, which a POST to /import/<user> brings back under any name. Fetching it is noted as MEMORY_EXPORTED.',
    errors: { types: [InvalidInput, NotFound] },
    args: { userId: t.arg.string({ description: 'Under an API key: whose memory.' }) },
    resolve: (_root, { userId }, { app, viewer }) => archiveOf(app, userOf(viewer, userId)),
  }),
);

/** What the archive's addresses do, for whom may: a user token names its own user, or nobody. @throws NotFound */
export const archives = {
  read: (app: Context, viewer: Viewer, userId: string) => exportMemory(app, userOf(viewer, userId)),
  write: (app: Context, viewer: Viewer, userId: string, bytes: AsyncIterable<Uint8Array>) =>
    importArchive(app, userOf(viewer, userId), bytes),
};
