import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const SRC = fileURLToPath(new URL('../../../src/', import.meta.url));

/** The names that each top-level name of a module uses, as "file#name"; '' = what runs when the module is loaded. */
type Module = Map<string, string[]>;

/** The last part of the name of a module as a whole. */
const ALL = '*';

function read(file: string): Module {
  const text = readFileSync(join(SRC, file), 'utf8');
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const known = new Map<string, string>();
  const parts: [name: string, node: ts.Node][] = [];
  const fileOf = (specifier: ts.Node): string | null =>
    ts.isStringLiteral(specifier) && specifier.text.startsWith('.')
      ? relative(SRC, join(SRC, dirname(file), specifier.text))
      : null;
  for (const statement of source.statements) {
    if (ts.isImportDeclaration(statement)) addImports(statement, fileOf, known);
    else for (const [name, node] of declaredIn(statement)) parts.push([name, node]);
  }
  for (const [name] of parts) if (name !== '') known.set(name, `${file}#${name}`);
  const module: Module = new Map();
  for (const [name, node] of parts) {
    module.set(name, [...(module.get(name) ?? []), ...usedIn(node, known, fileOf)]);
  }
  return module;
}

function addImports(
  { importClause, moduleSpecifier }: ts.ImportDeclaration,
  fileOf: (specifier: ts.Node) => string | null,
  known: Map<string, string>,
): void {
  const from = fileOf(moduleSpecifier);
  const named = importClause?.namedBindings;
  if (from === null || importClause?.isTypeOnly || !named) return;
  if (ts.isNamespaceImport(named)) known.set(named.name.text, `${from}#${ALL}`);
  else
    for (const { name, propertyName, isTypeOnly } of named.elements)
      if (!isTypeOnly) known.set(name.text, `${from}#${(propertyName ?? name).text}`);
}

/** The names that a statement declares, each with what is to be read of it. */
function declaredIn(statement: ts.Statement): [name: string, node: ts.Node][] {
  if (ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement)) return [];
  if (ts.isFunctionDeclaration(statement) || ts.isClassDeclaration(statement))
    return [[statement.name?.text ?? '', statement]];
  if (!ts.isVariableStatement(statement)) return [['', statement]];
  return statement.declarationList.declarations.map(({ name, initializer }) => [
    ts.isIdentifier(name) ? name.text : '',
    initializer ?? name,
  ]);
}

/** The known names that a part of the code uses. A local name that hides a known one counts as well. */
function usedIn(
  node: ts.Node,
  known: ReadonlyMap<string, string>,
  fileOf: (specifier: ts.Node) => string | null,
): string[] {
  const used: string[] = [];
  const visit = (at: ts.Node): void => {
    if (ts.isTypeNode(at)) return;
    // The name of a property is no use of what has the same name.
    if (ts.isPropertyAccessExpression(at)) visit(at.expression);
    else if (ts.isPropertyAssignment(at)) visit(at.initializer);
    else ts.forEachChild(at, visit);
    if (ts.isIdentifier(at)) used.push(known.get(at.text) ?? '');
    if (ts.isCallExpression(at) && at.expression.kind === ts.SyntaxKind.ImportKeyword) {
      const file = at.arguments[0] ? fileOf(at.arguments[0]) : null;
      if (file !== null) used.push(`${file}#${ALL}`);
    }
  };
  visit(node);
  return used.filter((name) => name !== '');
}

/**
 * Finds the top-level names, as "file#name", that the code of some files uses, directly or through others, each with the
 * names that use it.
 */
export function reachableFrom(isRoot: (file: string) => boolean): Map<string, Set<string>> {
  const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && !file.endsWith('.d.ts') && !file.includes('generated'),
  );
  const modules = new Map(files.map((file) => [file, read(file)]));
  const namesOf = (file: string) => [...(modules.get(file)?.keys() ?? [])];
  const found = new Map<string, Set<string>>();
  const waiting = files
    .filter(isRoot)
    .flatMap((file) => namesOf(file).map((name) => `${file}#${name}`));
  const seen = new Set(waiting);
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    const [file = '', own = ''] = name.split('#');
    const uses =
      own === ALL
        ? namesOf(file).map((one) => `${file}#${one}`)
        : (modules.get(file)?.get(own) ?? []);
    for (const use of uses) {
      found.set(use, (found.get(use) ?? new Set()).add(name));
      if (!seen.has(use)) waiting.push(use);
      seen.add(use);
    }
  }
  return found;
}
