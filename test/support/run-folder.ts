import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  export interface ProvidedContext {
    /** A folder for what the processes of one test run share. */
    runFolder: string;
  }
}

let folder: string;

/** Makes the folder before the run. While files are watched, every run of them finds it empty. */
export async function setup(project: TestProject): Promise<void> {
  folder = await mkdtemp(join(tmpdir(), 'mnemograph-run-'));
  project.provide('runFolder', folder);
  project.onTestsRerun(async () => {
    await rm(folder, { recursive: true });
    await mkdir(folder);
  });
}

/** Removes it after the run. */
export const teardown = (): Promise<void> => rm(folder, { recursive: true, force: true });
