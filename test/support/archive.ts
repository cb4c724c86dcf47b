import { createHash } from 'node:crypto';
import { serve } from './server.ts';
import { userToken, type World } from './world.ts';

/** The headers of a caller: an API key or a user token. */
export type Credentials = { authorization: string };

/** Returns the credentials of a user. */
export const byToken = async (userId: string): Promise<Credentials> => ({
  authorization: `Bearer ${await userToken(userId)}`,
});

export type ArchiveServer = AsyncDisposable & {
  origin: string;
  fetchArchive(userId: string, by: Credentials): Promise<Response>;
  sendArchive(
    userId: string,
    by: Credentials,
    text: string,
    headers?: Record<string, string>,
  ): Promise<{ status: number; body: Refusal & { imported?: Record<string, number> } }>;
};
type Refusal = { errors?: { message: string; extensions: { code: string } }[] };

/** Serves the archive endpoints of a world, with other settings of the server. */
export async function serveArchives(
  { ctx }: Pick<World, 'ctx'>,
  settings: Partial<World['ctx']['config']['server']> = {},
): Promise<ArchiveServer> {
  const server = { ...ctx.config.server, port: 0, ...settings };
  const { origin, stop } = await serve({ ...ctx, config: { ...ctx.config, server } });
  const at = (what: string, userId: string) => `${origin}/${what}/${encodeURIComponent(userId)}`;
  return {
    origin,
    fetchArchive: (userId, by) => fetch(at('export', userId), { headers: by }),
    async sendArchive(userId, by, body, headers = {}) {
      const response = await fetch(at('import', userId), {
        method: 'POST',
        // The server might close an idle connection just when it is used again.
        headers: { 'content-type': 'application/x-ndjson', connection: 'close', ...by, ...headers },
        body,
      });
      return { status: response.status, body: (await response.json()) as never };
    },
    [Symbol.asyncDispose]: stop,
  };
}

/** Splits an archive into lines; the last one is empty. */
export const linesOf = (archive: string): string[] => archive.split('\n');

/** Replaces the rows of an archive, and corrects its counts and checksum. */
export function withRows(archive: string, change: (rows: string[]) => string[]): string {
  const [header = '', ...rest] = linesOf(archive).slice(0, -2);
  const rows = change(rest);
  const { counts, ...fields } = JSON.parse(header);
  const found = Object.fromEntries(
    Object.keys(counts).map((kind) => [
      kind,
      rows.filter((row) => JSON.parse(row).type === kind).length,
    ]),
  );
  const lines = [JSON.stringify({ ...fields, counts: found }), ...rows];
  const text = lines.map((line) => `${line}\n`).join('');
  const sha256 = createHash('sha256').update(text).digest('hex');
  return `${text}${JSON.stringify({ type: 'end', counts: found, sha256 })}\n`;
}
