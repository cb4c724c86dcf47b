import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** By the package that each stands for. */
const STAND_INS = {
  '@huggingface/transformers': 'stand-in-transformers.mjs',
  'node-llama-cpp': 'stand-in-llama.mjs',
};

/**
 * A folder in which the optional packages are installed, for LOCAL_PACKAGES: the one that MODEL_PACKAGES names, with the
 * real ones, or stand-ins that are put into `folder`.
 */
export async function installPackages(folder: string): Promise<string> {
  // biome-ignore lint/style/noProcessEnv: a setting of the tests alone
  const { MODEL_PACKAGES } = process.env;
  if (MODEL_PACKAGES) return MODEL_PACKAGES;
  for (const [name, file] of Object.entries(STAND_INS)) {
    const place = join(folder, 'node_modules', name);
    await mkdir(place, { recursive: true });
    await copyFile(fileURLToPath(new URL(file, import.meta.url)), join(place, 'index.mjs'));
    const manifest = { name, version: '0.0.0', type: 'module', exports: './index.mjs' };
    await writeFile(join(place, 'package.json'), JSON.stringify(manifest));
  }
  return folder;
}
