import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { createMemory } from '@mnemograph/client';
import { CommandFailed } from './run-command.ts';
import { authorization, type ServerOptions, USER_REQUIRED, urlOn } from './server-options.ts';

type Refusal = { errors?: { message: string }[] };

const pathOf = async (what: 'export' | 'import', options: ServerOptions) =>
  `/${what}/${encodeURIComponent(options.user ?? (await ownUser(options)))}`;

/** The only user whom the caller can act for. @throws CommandFailed if there are many */
async function ownUser({ url, apiKey }: ServerOptions): Promise<string> {
  if (!apiKey) return 'local';
  const memory = createMemory({ url, apiKey, retries: 0 });
  const { session } = await memory.request<{ session: { userId: string | null } }>(
    '{ session { userId } }',
  );
  if (session.userId !== null) return session.userId;
  throw new CommandFailed(USER_REQUIRED);
}

/** Downloads a user's archive as a stream. @throws CommandFailed when the server cannot be reached or refuses */
export async function fetchArchive(
  options: ServerOptions,
): Promise<{ bytes: number; body: Readable }> {
  const response = await reach(urlOn(options, await pathOf('export', options)), {
    // Without credentials the server requires POST, and this header: a web page of another origin cannot send it.
    method: 'POST',
    headers: { 'x-requested-with': 'mnemograph', ...authorization(options) },
  });
  if (!response.ok || !response.body) throw new CommandFailed(await messageOf(response));
  const bytes = Number(response.headers.get('content-length'));
  return { bytes, body: Readable.fromWeb(response.body as never) };
}

/**
 * Restores an archive into an empty memory.
 * @param onSent called with the number of bytes read so far
 * @returns the number of imported rows of each type
 * @throws CommandFailed when the server cannot be reached or refuses
 */
export async function sendArchive(
  file: string,
  options: ServerOptions,
  onSent: (bytes: number) => void,
): Promise<Record<string, number>> {
  const path = await pathOf('import', options);
  const body = createReadStream(file);
  body.on('data', () => onSent(body.bytesRead));
  const response = await reach(urlOn(options, path), {
    method: 'POST',
    headers: { 'content-type': 'application/x-ndjson', ...authorization(options) },
    body: Readable.toWeb(body) as never,
    duplex: 'half',
  });
  if (!response.ok) throw new CommandFailed(await messageOf(response));
  return ((await response.json()) as { imported: Record<string, number> }).imported;
}

async function reach(url: string, init: RequestInit & { duplex?: 'half' }): Promise<Response> {
  try {
    return await fetch(url, init);
  } catch (error) {
    const { cause } = error as { cause?: Error };
    throw new CommandFailed(`${url} cannot be reached: ${cause?.message ?? error}`);
  }
}

async function messageOf(response: Response): Promise<string> {
  const text = await response.text();
  try {
    return (JSON.parse(text) as Refusal).errors?.[0]?.message ?? text;
  } catch {
    return `The server answered ${response.status}.`;
  }
}
