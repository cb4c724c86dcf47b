import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

/** The words in one regular expression of the server. */
export type RuleWords = {
  /** Its place in the source, such as "language/en/narrative.ts:58". */
  place: string;
  words: readonly string[];
};

const SRC = fileURLToPath(new URL('../../../../src/', import.meta.url));
/** Folders that read no texts of users. */
const NO_RULES = /^(?:auth|cli|config|db)\//;

/** Recognises strings that are parts of regular expressions. */
const PATTERN_SIGN = /\(\?|\||\\[bsdw]|\][+*?{]|\)[?*+]/;
/** The parts of an expression that are not literal: classes, names of groups, escapes, inserted values. */
const NOT_LITERAL =
  /\$\{[^}]{0,99}\}|\\[pP]\{[^}]{0,40}\}|\\u\{?[\da-f]{1,6}\}?|\\[a-zA-Z]|\[[^\]]{0,200}\]|\(\?<\w{1,40}>|\{\d{0,6}(?:,\d{0,6})?\}|\/[a-z]{0,8}$/giu;
const WORD = /\p{L}[\p{L}\p{M}'’]*/gu;

let known: readonly RuleWords[] | undefined;

/**
 * The words of every regular expression in the source of the server, by expression: a text made of them gets far into a
 * rule before it fails.
 */
export function ruleWords(): readonly RuleWords[] {
  known ??= readdirSync(SRC, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !NO_RULES.test(path))
    .sort()
    .flatMap(rulesOf);
  return known;
}

function rulesOf(path: string): RuleWords[] {
  const text = readFileSync(join(SRC, path), 'utf8');
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const rules: RuleWords[] = [];
  const visit = (node: ts.Node): void => {
    if (!isLiteral(node)) {
      ts.forEachChild(node, visit);
      return;
    }
    const literal = node.getText(source);
    if (!ts.isRegularExpressionLiteral(node) && !PATTERN_SIGN.test(literal)) return;
    const words = [...new Set(literal.replace(NOT_LITERAL, ' ').match(WORD) ?? [])];
    const { line } = source.getLineAndCharacterOfPosition(node.getStart(source));
    if (words.length > 0) rules.push({ place: `${path}:${line + 1}`, words });
  };
  visit(source);
  return rules;
}

const isLiteral = (node: ts.Node): boolean =>
  ts.isRegularExpressionLiteral(node) ||
  ts.isStringLiteralLike(node) ||
  ts.isTemplateExpression(node);
