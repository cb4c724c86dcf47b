import { relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Pattern } from './pattern.ts';

const DEPTH = 30;
/** A place in a stack trace: its file, as path or URL, and its line. */
const FRAME = /\(?((?:file:\/\/)?\/[^()]{1,1000}?):(\d{1,7}):\d{1,7}\)?$/;

/** The files and lines that led to a call, the nearest first. */
function callers(root: string): string[] {
  const before = Error.stackTraceLimit;
  Error.stackTraceLimit = DEPTH;
  const lines = (new Error('for its stack').stack ?? '').split('\n');
  Error.stackTraceLimit = before;
  return lines.flatMap((line) => {
    const [, file = '', number = ''] = FRAME.exec(line) ?? [];
    if (file === '') return [];
    const path = file.startsWith('file:') ? fileURLToPath(file) : file;
    return [`${relative(root, path)}:${number}`];
  });
}

/** An expression with the line that builds it and, where that is a helper, the line that asked for it. */
function placed({ source, flags }: RegExp, frames: readonly string[]): Pattern {
  const nearest = frames[0] ?? 'unknown:0';
  const isOwn = nearest.startsWith('src/') || nearest.startsWith('test/');
  const asker = frames.find(
    (frame) => /^(?:src|test)\//.test(frame) && fileOf(frame) !== fileOf(nearest),
  );
  return { source, flags, places: asker ? [nearest, asker] : [nearest], isOwn };
}

const fileOf = (place: string): string => place.slice(0, place.lastIndexOf(':'));

/**
 * Loads modules and notes every expression that they and their libraries build while they load.
 * @throws what a module throws when it is loaded
 */
export async function builtBy(root: string, files: readonly string[]): Promise<Pattern[]> {
  const found: Pattern[] = [];
  const Original = globalThis.RegExp;
  const tools = new Set(
    ['./built.ts', './collect.ts', '../check-patterns.ts'].map((file) =>
      relative(root, fileURLToPath(new URL(file, import.meta.url))),
    ),
  );
  const note = (expression: RegExp): RegExp => {
    const frames = callers(root).filter((frame) => !tools.has(fileOf(frame)));
    found.push(placed(expression, frames));
    return expression;
  };
  globalThis.RegExp = new Proxy(Original, {
    construct: (target, args, to) =>
      note(Reflect.construct(target, args, to === globalThis.RegExp ? target : to)),
    apply: (target, self, args) => note(Reflect.apply(target, self, args)),
  });
  try {
    for (const file of files) await import(pathToFileURL(file).href);
  } finally {
    globalThis.RegExp = Original;
  }
  return found;
}
