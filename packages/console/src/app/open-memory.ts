import { createMemory, type Memory } from '@mnemograph/client';
import { createConnection } from './connection.ts';
import { SERVER_URL } from './place.ts';

/** The connection of this tab to its server. */
export const connection = createConnection(SERVER_URL);

/** The client with a key or token, or with none. */
export const openMemory = (secret: string | null, isWithoutSocket = false): Memory =>
  createMemory({
    url: SERVER_URL,
    apiKey: secret ?? undefined,
    fetch: connection.fetch,
    live: isWithoutSocket ? undefined : connection.live,
    retries: 2,
  });
