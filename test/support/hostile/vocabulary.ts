import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const SOURCES = fileURLToPath(new URL('../../../src/', import.meta.url));

const filesOf = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => join(entry.parentPath, entry.name));

/** Returns the sources of the expressions in a file: its literals, and the strings that expressions are built from. */
function expressionsOf(path: string): string[] {
  const file = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) found.push(node.text);
    else if (ts.isStringLiteralLike(node) || ts.isTemplateLiteralToken(node)) {
      if (/\(\?[:<=!]|\\[bpsd]|\|/.test(node.text)) found.push(node.text);
    }
    node.forEachChild(visit);
  };
  visit(file);
  return found;
}

/** Returns the words between the syntax of an expression, such as "no longer", "it is", "years". */
const wordsOf = (source: string): string[] =>
  source
    .replace(/\\p\{[^}]*\}|\(\?<\w+>|\\[a-z]|\{\d*,?\d*\}|\[[^\]]*\]/gi, '|')
    .split(/[^\p{L}\p{N}' -]+/u)
    .map((words) => words.trim())
    .filter((words) => words !== '');

/** Returns the words and phrases of every expression in the sources, from which hostile texts are made; the same in every run. */
export const ruleWords = (folder: string = SOURCES): string[] =>
  [...new Set(filesOf(folder).flatMap(expressionsOf).flatMap(wordsOf))].sort();
