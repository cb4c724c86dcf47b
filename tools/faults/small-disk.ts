import { execFile } from 'node:child_process';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { freeBytesOf } from '../../src/db/embedded/disk-space.ts';

/** A separate disk that can be filled up. Unmounted on dispose. */
export type SmallDisk = AsyncDisposable & {
  folder: string;
  /** Fills the disk until only `left` bytes are free. */
  fill(left: number): Promise<void>;
  clear(): Promise<void>;
};

const SIZE_MB = 512;
const BLOCK = Buffer.alloc(1 << 20);
const UNMOUNT_ATTEMPTS = 25;
const run = promisify(execFile);

/** @throws if this user may not mount disks, as in most containers */
export async function mountSmallDisk(): Promise<SmallDisk> {
  const folder = await mkdtemp(join(tmpdir(), 'mnemograph-disk-'));
  const filler = join(folder, 'filler');
  try {
    await run('mount', ['-t', 'tmpfs', '-o', `size=${SIZE_MB}m`, 'tmpfs', folder]);
  } catch (error) {
    await rm(folder, { recursive: true });
    throw error;
  }
  return {
    folder,
    async fill(most) {
      await using file = await open(filler, 'w');
      for (let left = await roomBeside(most); left > 0; left -= BLOCK.length) {
        await file.write(BLOCK.subarray(0, Math.min(left, BLOCK.length)));
      }
    },
    clear: () => rm(filler, { force: true }),
    async [Symbol.asyncDispose]() {
      await unmount(folder);
      await rm(folder, { recursive: true });
    },
  };

  async function roomBeside(most: number): Promise<number> {
    return ((await freeBytesOf(folder)) ?? 0) - most;
  }
}

/** Retries, since a process that used the disk may still be exiting. @throws if the disk stays in use */
async function unmount(folder: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await run('umount', [folder]);
      return;
    } catch (error) {
      if (attempt === UNMOUNT_ATTEMPTS) throw error;
      await delay(200);
    }
  }
}
