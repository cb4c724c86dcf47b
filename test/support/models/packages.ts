import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The stand-ins by the package that they replace. */
const STAND_INS = {
  '@huggingface/transformers': 'stand-in-transformers.mjs',
  'node-llama-cpp': 'stand-in-llama.mjs',
};

/**
 * Returns a folder with the optional packages, for LOCAL_PACKAGES: the one that MODEL_PACKAGES names, with the real packages,
 * or `folder`, into which it copies stand-ins.
 */
export async function installPackages(folder: string): Promise<string> {
  // biome-ignore lint/style/noProcessEnv: a setting of the test run, not of the server
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
