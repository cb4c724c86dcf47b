import type pg from 'pg';
import type { Config } from './config/config.ts';
import { onServer } from './db/core/on-server.ts';
import type { DiskSpace } from './db/embedded/disk-space.ts';
import { startEmbedded } from './db/embedded/embedded.ts';
import { imageArchive } from './db/embedded/embedded-image.ts';
import type { Logger } from './observability/logger.ts';

/** A running database, and how it is reached. */
export type DatabaseServer = {
  connection: pg.PoolConfig;
  embedded: boolean;
  disk?: DiskSpace | null;
  recordAddress?(url: string): void;
};

/** Disposing stops it, if it runs in this process. */
export type OpenDatabase = DatabaseServer & AsyncDisposable;

/**
 * Starts the embedded database, or takes the server that is configured. It may have to be migrated.
 * @param onThreadStarted called when an embedded one opens in its own thread, and has nothing left to do in this one
 */
export async function openConfigured(
  { url, folder, pool, reserveBytes }: Config['database'],
  logger: Logger,
  onThreadStarted?: () => void,
): Promise<OpenDatabase> {
  if (url !== null) {
    return {
      connection: onServer(url, pool),
      embedded: false,
      [Symbol.asyncDispose]: async () => undefined,
    };
  }
  const snapshot = folder === null ? await imageArchive() : null;
  const started = await startEmbedded({ folder, snapshot, reserveBytes, logger, onThreadStarted });
  return { ...started, connection: { ...started.connection, max: pool }, embedded: true };
}
