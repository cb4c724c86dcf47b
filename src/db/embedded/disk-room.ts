import { statfs } from 'node:fs/promises';
import type { Logger } from '../../observability/logger.ts';

/** How much room the disk of the embedded database has. While it is low, only `forget` writes. */
export type DiskRoom = Disposable & {
  reserveBytes: number;
  /** Null where the file system does not tell. */
  freeBytes(): number | null;
  isLow(): boolean;
};

type Options = {
  /** It is low while less than this is free. */
  reserveBytes: number;
  measure: () => Promise<number | null>;
  logger: Logger | undefined;
};

const EVERY = 250;
/** It is no longer low when so many times the reserve is free: a checkpoint frees some. */
const ENOUGH = 1.25;

/**
 * Looks at once and four times a second.
 * @param onChange told when it becomes low and when it no longer is
 */
export async function watchDiskRoom(
  { reserveBytes, measure, logger }: Options,
  onChange: (isLow: boolean) => void,
): Promise<DiskRoom> {
  let free: number | null = null;
  let low = false;
  let looking = false;

  const look = async () => {
    if (looking) return;
    looking = true;
    try {
      free = await measure();
      const isLow = free !== null && free < reserveBytes * (low ? ENOUGH : 1);
      if (isLow !== low) tell(isLow, free);
    } catch (error) {
      logger?.warn({ err: error }, 'disk.unknown');
    } finally {
      looking = false;
    }
  };
  const tell = (isLow: boolean, freeBytes: number | null) => {
    low = isLow;
    onChange(isLow);
    if (isLow) logger?.warn({ freeBytes, reserveBytes }, 'disk.low');
    else logger?.info({ freeBytes, reserveBytes }, 'disk.enough');
  };

  await look();
  const timer = setInterval(look, EVERY).unref();
  return {
    reserveBytes,
    freeBytes: () => free,
    isLow: () => low,
    [Symbol.dispose]: () => clearInterval(timer),
  };
}

/** What is left of the disk that a folder is on. */
export async function freeBytesOf(folder: string): Promise<number | null> {
  const { bavail, blocks, bsize } = await statfs(folder);
  return blocks === 0 ? null : bavail * bsize;
}
