import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import ts from 'typescript';
import type { Pattern } from './pattern.ts';

/** The expression literals in source files, and the places that build other expressions. */
export type Written = { literals: Pattern[]; builders: string[] };

/** Lists the source files of a folder, without generated ones. */
export function sourceFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(?:ts|js|mjs|cjs)$/.test(file) && !/\.d\.[cm]?ts$/.test(file))
    .filter((file) => !file.split(/[/\\]/).includes('generated'))
    .sort()
    .map((file) => join(folder, file));
}

/** Finds every expression literal and every call of RegExp in files, with TypeScript's parser. */
export function writtenIn(root: string, files: readonly string[], isOwn: boolean): Written {
  const written: Written = { literals: [], builders: [] };
  for (const file of files) {
    const source = ts.createSourceFile(
      file,
      readFileSync(file, 'utf8'),
      ts.ScriptTarget.Latest,
      true,
    );
    const placeOf = (node: ts.Node): string => {
      const { line } = source.getLineAndCharacterOfPosition(node.getStart(source));
      return `${relative(root, file)}:${line + 1}`;
    };
    const visit = (node: ts.Node): void => {
      if (ts.isRegularExpressionLiteral(node)) {
        written.literals.push({ ...partsOf(node.text), places: [placeOf(node)], isOwn });
      } else if (isBuilder(node)) written.builders.push(placeOf(node));
      ts.forEachChild(node, visit);
    };
    visit(source);
  }
  return written;
}

function partsOf(literal: string): Pick<Pattern, 'source' | 'flags'> {
  const end = literal.lastIndexOf('/');
  return { source: literal.slice(1, end), flags: literal.slice(end + 1) };
}

const BUILDERS = new Set(['RegExp', 'IgnoringCase']);

const isBuilder = (node: ts.Node): boolean =>
  (ts.isNewExpression(node) || ts.isCallExpression(node)) &&
  ts.isIdentifier(node.expression) &&
  BUILDERS.has(node.expression.text);
