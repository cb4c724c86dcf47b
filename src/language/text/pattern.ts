import { IgnoringCase } from './ignoring-case.ts';

/**
 * The source of a regular expression, written over several lines: line breaks and the spaces after them are removed.
 * Backslashes need no escaping.
 */
export const source = (
  { raw }: TemplateStringsArray,
  ...values: readonly (string | number)[]
): string => raw.map((piece, at) => piece.replace(/\n */g, '') + String(values[at] ?? '')).join('');

/** A regular expression written over several lines, such as pattern('iu')`…`, see `source`; with "iu", see `IgnoringCase`. */
export const pattern =
  (flags = '') =>
  (strings: TemplateStringsArray, ...values: readonly (string | number)[]): RegExp =>
    flags.includes('iu')
      ? new IgnoringCase(source(strings, ...values), flags.replace('iu', ''))
      : new RegExp(source(strings, ...values), flags);
