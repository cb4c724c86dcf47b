import { relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Pattern } from './pattern.ts';

const DEPTH = 30;
const OWN = /^(?:src|test|packages)\//;
/** Matches a line of a stack trace: the file, as path or URL, and the line number. */
const FRAME = /\(?((?:file:\/\/)?\/[^()]{1,1000}?):(\d{1,7}):\d{1,7}\)?$/;

/** Returns the files and lines of the current call stack, innermost first. */
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

/** Returns an expression with the line that builds it and, if that is in a helper, the line that calls the helper. */
function placed({ source, flags }: RegExp, frames: readonly string[]): Pattern {
  const nearest = frames[0] ?? 'unknown:0';
  const isOwn = OWN.test(nearest);
  const caller = frames.find((frame) => OWN.test(frame) && fileOf(frame) !== fileOf(nearest));
  return { source, flags, places: caller ? [nearest, caller] : [nearest], isOwn };
}

const fileOf = (place: string): string => place.slice(0, place.lastIndexOf(':'));

/**
 * Loads modules, and records every expression that they and their libraries build during loading.
 * @throws what a module throws during loading
 */
export async function builtBy(root: string, files: readonly string[]): Promise<Pattern[]> {
  const found: Pattern[] = [];
  const Original = globalThis.RegExp;
  const tools = new Set(
    ['./built.ts', './collect.ts', '../check-patterns.ts'].map((file) =>
      relative(root, fileURLToPath(new URL(file, import.meta.url))),
    ),
  );
  const record = (expression: RegExp): RegExp => {
    const frames = callers(root).filter((frame) => !tools.has(fileOf(frame)));
    // One of a derived class is reported where it is created, not in the constructor.
    const outside = expression.constructor === Original ? frames : frames.slice(1);
    found.push(placed(expression, outside));
    return expression;
  };
  globalThis.RegExp = new Proxy(Original, {
    construct: (target, args, to) =>
      record(Reflect.construct(target, args, to === globalThis.RegExp ? target : to)),
    apply: (target, self, args) => record(Reflect.apply(target, self, args)),
  });
  try {
    for (const file of files) await import(pathToFileURL(file).href);
  } finally {
    globalThis.RegExp = Original;
  }
  return found;
}
