import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { InvalidSetting } from '../domain/core/errors.ts';

/** A package that is not installed with the server: operators install it if they use the setting that needs it. */
export type OptionalPackage = {
  name: string;
  /** The setting that needs it. */
  setting: string;
  /** The disk space that it needs, for the error message. */
  size: string;
};

/** Runs sentence-transformers in ONNX. The size is that of version 4.3 on Linux x64, including its runtime. */
export const TRANSFORMERS: OptionalPackage = {
  name: '@huggingface/transformers',
  setting: 'EMBEDDER=local',
  size: 'about 480 MB',
};

/** Runs GGUF files. The size is that of version 3.22 on Linux x64; nine tenths of it are for graphics cards. */
export const LLAMA: OptionalPackage = {
  name: 'node-llama-cpp',
  setting: 'REASONER=local',
  size: 'about 730 MB',
};

/**
 * Returns the file URL to import a package from.
 * @param folder where it is installed; null = where the server's own packages are
 * @throws InvalidSetting with the command to install it, when it is not installed
 */
export function findPackage(
  { name, setting, size }: OptionalPackage,
  folder: string | null,
): string {
  const from = folder === null ? import.meta.url : join(resolve(folder), 'package.json');
  try {
    return pathToFileURL(createRequire(from).resolve(name)).href;
  } catch {
    const command = `npm install --ignore-scripts${folder === null ? '' : ` --prefix ${folder}`} ${name}`;
    throw new InvalidSetting(
      `${setting} needs the package ${name}, which is not ` +
        `installed${folder === null ? '' : ` in ${folder} (LOCAL_PACKAGES)`}: run "${command}" (${size} on ` +
        'the disk). See docs/models.md.',
    );
  }
}

/**
 * Imports a package that may be an ES module or CommonJS.
 * @param member an export that the package must have; where it is missing, the exports are those of `default`
 */
export async function importPackage<T extends object>(url: string, member: keyof T): Promise<T> {
  const module = (await import(url)) as T & { default?: T };
  return member in module || module.default === undefined ? module : module.default;
}
