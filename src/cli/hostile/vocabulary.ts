import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The words that one regular expression of the server looks for. */
export type RuleWords = {
  /** Where it stands, such as "domain/telling.ts:58". */
  place: string;
  words: readonly string[];
};

const SRC = fileURLToPath(new URL('../../', import.meta.url));
/** No user's text is read there. */
const NO_RULES = /^(?:auth|cli|config|db)\//;

/** Comments, strings, templates and regular expressions of a TypeScript file, roughly. */
const LITERAL =
  /\/\*[\s\S]*?\*\/|\/\/[^\n]*|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\[\s\S])*`|(?<=[=(,:[!&|?;{}\n>]\s{0,20})\/(?![*/])(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/g;
/** What a string has that is a part of an expression, and others have not. */
const PATTERN_SIGN = /\(\?|\||\\[bsdw]|\[[^\]]+\][+*?{]|\)[?*+]/;
/** What of an expression is not looked for literally: classes, groups' names, escapes, values filled in. */
const NOT_LITERAL =
  /\$\{[^}]*\}|\\[pP]\{[^}]*\}|\\u\{?[\da-f]+\}?|\\[a-zA-Z]|\[[^\]]*\]|\(\?<\w+>|\{\d*,?\d*\}|\/[a-z]*$/giu;
const WORD = /\p{L}[\p{L}\p{M}'’]*/gu;

let known: readonly RuleWords[] | undefined;

/**
 * The words of every regular expression in the server's own source, expression by expression: what a text must be made of
 * to get far into a rule before it fails.
 */
export function ruleWords(): readonly RuleWords[] {
  known ??= readdirSync(SRC, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !NO_RULES.test(path))
    .sort()
    .flatMap(rulesOf);
  return known;
}

function rulesOf(path: string): RuleWords[] {
  const source = readFileSync(join(SRC, path), 'utf8');
  return [...source.matchAll(LITERAL)].flatMap(({ 0: literal, index }) => {
    if (/^\/[/*]/.test(literal)) return [];
    if (!literal.startsWith('/') && !PATTERN_SIGN.test(literal)) return [];
    const words = [...new Set(literal.replace(NOT_LITERAL, ' ').match(WORD) ?? [])];
    if (words.length === 0) return [];
    return [{ place: `${path}:${source.slice(0, index).split('\n').length}`, words }];
  });
}
