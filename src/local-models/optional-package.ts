import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { InvalidSetting } from '../domain/core/errors.ts';

/** A package that only those install who use it. */
export type OptionalPackage = {
  name: string;
  /** The setting that needs it. */
  setting: string;
  /** How much an installation takes on the disk. */
  size: string;
};

/** What runs sentence-transformers in ONNX. Version 4.3 on Linux x64, its runtime included. */
export const TRANSFORMERS: OptionalPackage = {
  name: '@huggingface/transformers',
  setting: 'EMBEDDER=local',
  size: 'about 480 MB',
};

/** What runs GGUF files. Version 3.22 on Linux x64; nine tenths of it are for graphics cards. */
export const LLAMA: OptionalPackage = {
  name: 'node-llama-cpp',
  setting: 'REASONER=local',
  size: 'about 730 MB',
};

/**
 * The address to import a package from.
 * @param folder where it was installed; null = where the server's own packages are
 * @throws InvalidSetting saying what to install
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

/** What a package exports, whether it is an ES module or CommonJS. */
export async function importPackage<T extends object>(url: string, member: keyof T): Promise<T> {
  const module = (await import(url)) as T & { default?: T };
  return member in module || module.default === undefined ? module : module.default;
}
