import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { MEMORY_SETTINGS } from '../../src/cli/node-options.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const text = await readFile(`${ROOT}Dockerfile`, 'utf8');
const ignored = await readFile(`${ROOT}.dockerignore`, 'utf8');
/** The instructions, one a line, without comments. */
const instructions = text
  .replace(/^#.*\n/gm, '')
  .replaceAll('\\\n', ' ')
  .split('\n')
  .filter((line) => line !== '');
const [build = [], image = []] = instructions
  .join('\n')
  .split(/^(?=FROM )/m)
  .map((stage) => stage.trim().split('\n'));
/** The arguments of each instruction of a kind. */
const all = (stage: string[], kind: string) =>
  stage.filter((line) => line.startsWith(`${kind} `)).map((line) => line.slice(kind.length + 1));

it('what the image is built from exists, and is sent to the builder', () => {
  const sources = all(build, 'COPY').flatMap((args) => args.split(/\s+/).slice(0, -1));
  expect(sources).toContain('package-lock.json');
  for (const source of sources) {
    expect(existsSync(`${ROOT}${source}`)).toBe(true);
    expect(ignored.split('\n')).toContain(`!${source.replace(/^\.\//, '')}`);
  }
});

it('the build copies all that npm ci and the build of the server read', async () => {
  const { scripts } = JSON.parse(await readFile(`${ROOT}package.json`, 'utf8'));
  const copied = all(build, 'COPY').join(' ');
  expect(scripts.prepare).toBe('prisma generate && npm run build');
  const [, configs = ''] = /tsc -b ([\w./ ]+)/.exec(scripts.build) ?? [];
  expect(scripts.build).toContain('node esbuild.config.mjs');
  expect(copied).toContain('esbuild.config.mjs');
  for (const config of configs.trim().split(' ')) expect(copied).toContain(config.split('/')[0]);
  expect(scripts.build).toContain('npm run build -w @mnemograph/console');
  expect(copied).toContain('./packages');
  expect(copied).toContain('prisma.config.ts');
});

it('the image takes from the build only what the build makes or has copied', () => {
  const taken = all(image, 'COPY').map((args) => args.split(/\s+/).at(-2) ?? '');
  const made = ['/app/node_modules', '/app/dist'];
  const copied = all(build, 'COPY').flatMap((args) => args.split(/\s+/).slice(0, -1));
  for (const path of taken) {
    expect([...made, ...copied.map((name) => `/app/${name.replace('./', '')}`)]).toContain(path);
  }
  for (const needed of ['/app/package.json', '/app/prisma', '/app/packages', ...made]) {
    expect(taken).toContain(needed);
  }
});

it('the image runs as a user without rights, who owns the data, and has a health check', () => {
  expect(all(image, 'USER')).toEqual(['node']);
  const prepared = all(image, 'RUN').join();
  expect(prepared).toBe('mkdir /data && chown node:node /data');
  expect(image.findIndex((line) => line.startsWith('USER'))).toBeGreaterThan(
    image.findIndex((line) => line.startsWith('RUN')),
  );
  const environment = all(image, 'ENV').join(' ');
  for (const setting of [
    'HOST=0.0.0.0',
    'PORT=4000',
    'DATA_DIR=/data',
    ...Object.entries(MEMORY_SETTINGS).map(([name, value]) => `${name}=${value}`),
  ]) {
    expect(environment.split(' ')).toContain(setting);
  }
  expect(all(image, 'EXPOSE')).toEqual(['4000']);
  expect(all(image, 'VOLUME')).toEqual(['/data']);
  expect(all(image, 'HEALTHCHECK').join()).toMatch(/CMD node -e "fetch\(.*\/healthz'/);
});

it('both stages begin with an image that exists for amd64 and arm64; the builder builds on its own processor', () => {
  // By the documentation of the official image "node"; not looked up here.
  expect(instructions.filter((line) => line.startsWith('FROM '))).toEqual([
    'FROM --platform=$BUILDPLATFORM node:24-bookworm-slim AS build',
    'FROM node:24-bookworm-slim',
  ]);
});
