import { statfs } from 'node:fs/promises';
import type { Logger } from '../../observability/logger.ts';

/** The free space on the disk of the embedded database. While it is low, only `forget` may write. */
export type DiskSpace = Disposable & {
  reserveBytes: number;
  /** Returns the free bytes; null if the file system does not report them. */
  freeBytes(): number | null;
  isLow(): boolean;
};

type Options = {
  /** Space is low while less than this is free. */
  reserveBytes: number;
  measure: () => Promise<number | null>;
  logger: Logger | undefined;
};

/** The shortest and the longest time between two measurements, in milliseconds. */
const EVERY = 250;
const EVERY_WITH_PLENTY = 10_000;
/** No disk fills faster than this, in bytes per millisecond: 2 GB a second. */
const FASTEST = 2_000_000;
/** Low space ends when this many times the reserve is free: a checkpoint frees a little, which must not end it. */
const ENOUGH = 1.25;

/**
 * Measures the free space at once and then four times a second; less often while more than the reserve is free, so that it is
 * measured again before it can be low.
 * @param onChange called when space becomes low and when it no longer is
 */
export async function watchDiskSpace(
  { reserveBytes, measure, logger }: Options,
  onChange: (isLow: boolean) => void,
): Promise<DiskSpace> {
  let free: number | null = null;
  let low = false;
  let timer: NodeJS.Timeout | undefined;
  let isDisposed = false;

  const check = async () => {
    try {
      free = await measure();
      const isLow = free !== null && free < reserveBytes * (low ? ENOUGH : 1);
      if (isLow !== low) report(isLow, free);
    } catch (error) {
      logger?.warn({ err: error }, 'disk.unknown');
    }
    if (isDisposed) return;
    const lowAfter = ((free ?? 0) - reserveBytes) / FASTEST;
    const wait = Math.min(Math.max(lowAfter, EVERY), EVERY_WITH_PLENTY);
    timer = setTimeout(check, wait).unref();
  };
  const report = (isLow: boolean, freeBytes: number | null) => {
    low = isLow;
    onChange(isLow);
    if (isLow) logger?.warn({ freeBytes, reserveBytes }, 'disk.low');
    else logger?.info({ freeBytes, reserveBytes }, 'disk.enough');
  };

  await check();
  return {
    reserveBytes,
    freeBytes: () => free,
    isLow: () => low,
    [Symbol.dispose]: () => {
      isDisposed = true;
      clearTimeout(timer);
    },
  };
}

/** Returns the free bytes on the disk of a folder; null if the file system does not report them. */
export async function freeBytesOf(folder: string): Promise<number | null> {
  const { bavail, blocks, bsize } = await statfs(folder);
  return blocks === 0 ? null : bavail * bsize;
}
