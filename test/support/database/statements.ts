import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { compileFunction } from 'node:vm';
import ts from 'typescript';
import type { Statement } from '../../../src/db/core/database.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** A statement, the place that sends it, and the declared type of its rows. */
export type Sent = { place: string; statement: Statement; columns: Map<string, Column> | null };

/** The types of a row's property, without null. `json` is any object; null allows any type. */
export type Column = { kinds: string[] | null; elements: string[] | null };

/** An expression that creates statements, in the scope of its file. */
type Source = { file: ts.SourceFile; expression: string };

/**
 * Finds every named statement that src/ sends, with TypeScript's type checker.
 * @param built for statements that are built at run time: an expression that creates all of them, by the expression that is sent
 */
export async function sentStatements(
  built: ReadonlyMap<string, string>,
): Promise<{ sent: Sent[]; unknown: string[]; unsent: string[] }> {
  const program = readProgram();
  const checker = program.getTypeChecker();
  const files = program
    .getSourceFiles()
    .filter(({ fileName }) => fileName.startsWith(`${ROOT}src/`));
  const calls = files.flatMap((file) => callsIn(file));
  const isSending = (call: ts.CallExpression) => {
    const [first] = checker.getResolvedSignature(call)?.parameters ?? [];
    return first && checker.typeToString(checker.getTypeOfSymbol(first)) === 'Statement';
  };

  /** Returns the expressions that create a statement; null if they cannot be determined. */
  const sources = (expression: ts.Expression): Source[] | null => {
    const file = expression.getSourceFile();
    const made = built.get(`${nameOf(file)}: ${expression.getText().replace(/\s+/g, ' ')}`);
    if (made) return [{ file, expression: made }];
    if (ts.isConditionalExpression(expression))
      return all([expression.whenTrue, expression.whenFalse]);
    return ts.isIdentifier(expression) ? constant(expression) : null;
  };
  const constant = (expression: ts.Identifier): Source[] | null => {
    const file = expression.getSourceFile();
    const declaration = checker.getSymbolAtLocation(expression)?.valueDeclaration;
    if (declaration && ts.isParameter(declaration)) return passed(declaration);
    if (!declaration || !ts.isVariableDeclaration(declaration)) return null;
    const statement = declaration.parent.parent;
    if (statement.parent === file) return [{ file, expression: expression.text }];
    if (ts.isForOfStatement(statement) && ts.isArrayLiteralExpression(statement.expression))
      return all([...statement.expression.elements]);
    return declaration.initializer ? sources(declaration.initializer) : null;
  };
  const all = (expressions: ts.Expression[]): Source[] | null => {
    const found = expressions.map(sources);
    return found.includes(null) ? null : found.flatMap((some) => some ?? []);
  };
  /** Returns the sources of all arguments that are passed for a parameter. */
  const passed = (parameter: ts.ParameterDeclaration): Source[] | null => {
    const owner = parameter.parent.parent;
    if (!ts.isVariableDeclaration(owner)) return null;
    const callee = checker.getSymbolAtLocation(owner.name);
    const place = parameter.parent.parameters.indexOf(parameter);
    const given = calls
      .filter(({ expression }) => callee && resolve(checker, expression) === callee)
      .flatMap((call) => call.arguments[place] ?? []);
    return given.length > 0 ? all(given) : null;
  };

  const sent: Sent[] = [];
  const unknown: string[] = [];
  for (const call of calls.filter(isSending)) {
    const [expression] = call.arguments;
    const found = expression && sources(expression);
    const place = `${nameOf(call.getSourceFile())}: ${expression?.getText().replace(/\s+/g, ' ')}`;
    if (!found) unknown.push(place);
    for (const source of found ?? []) {
      const columns = columnsOf(checker, call);
      for (const statement of await evaluate(source)) sent.push({ place, statement, columns });
    }
  }
  return { sent, unknown, unsent: unsent(files, sent) };
}

function readProgram(): ts.Program {
  const { config } = ts.readConfigFile(`${ROOT}tsconfig.json`, ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, ROOT);
  const roots = ts.sys.readDirectory(`${ROOT}src/db`, ['.ts'], ['**/generated/**']);
  return ts.createProgram(roots, options);
}

const nameOf = (file: ts.SourceFile): string => file.fileName.slice(`${ROOT}src/`.length);

function callsIn(node: ts.Node): ts.CallExpression[] {
  const within: ts.CallExpression[] = [];
  const visit = (child: ts.Node) => {
    if (ts.isCallExpression(child)) within.push(child);
    ts.forEachChild(child, visit);
  };
  visit(node);
  return within;
}

function resolve(checker: ts.TypeChecker, expression: ts.Expression): ts.Symbol | undefined {
  const symbol = checker.getSymbolAtLocation(expression);
  const isImported = symbol && (symbol.flags & ts.SymbolFlags.Alias) !== 0;
  return isImported ? checker.getAliasedSymbol(symbol) : symbol;
}

/** Returns the properties of the row type of a call; null if it has none. */
function columnsOf(checker: ts.TypeChecker, call: ts.CallExpression): Map<string, Column> | null {
  const promise = checker.getTypeAtLocation(call);
  const row = first(checker, first(checker, promise));
  if (!row || checker.typeToString(row) === 'object') return null;
  return new Map(
    checker.getPropertiesOfType(row).map((property) => {
      const type = checker.getTypeOfSymbolAtLocation(property, call);
      return [property.name, columnOf(checker, type)];
    }),
  );
}

/** Returns the type argument of Promise or Array. */
const first = (checker: ts.TypeChecker, type: ts.Type | undefined): ts.Type | undefined =>
  type && isReference(type) ? checker.getTypeArguments(type)[0] : undefined;

const isReference = (type: ts.Type): type is ts.TypeReference => 'target' in type;

function columnOf(checker: ts.TypeChecker, type: ts.Type): Column {
  const array = (type.isUnion() ? type.types : [type]).find((one) => checker.isArrayType(one));
  const element = first(checker, array);
  return { kinds: kindsOf(checker, type), elements: element ? kindsOf(checker, element) : null };
}

function kindsOf(checker: ts.TypeChecker, type: ts.Type): string[] | null {
  if (type.flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown)) return null;
  const parts = type.isUnion() ? type.types : [type];
  const kinds = parts.map((part) => kindOf(checker, part));
  return [...new Set(kinds)].filter((kind) => kind !== 'null');
}

const PRIMITIVES: [flags: ts.TypeFlags, kind: string][] = [
  [ts.TypeFlags.Null | ts.TypeFlags.Undefined, 'null'],
  [ts.TypeFlags.StringLike, 'string'],
  [ts.TypeFlags.NumberLike, 'number'],
  [ts.TypeFlags.BooleanLike, 'boolean'],
];

function kindOf(checker: ts.TypeChecker, type: ts.Type): string {
  for (const [flags, kind] of PRIMITIVES) if (type.flags & flags) return kind;
  if (checker.isArrayType(type) || checker.isTupleType(type)) return 'array';
  const name = type.getSymbol()?.name;
  if (name === 'Date') return 'Date';
  return name === 'Buffer' || name === 'Uint8Array' ? 'bytes' : 'json';
}

/** Runs a file with an additional line that exports the private expression. */
async function evaluate({ file, expression }: Source): Promise<Statement[]> {
  const text = `${readFileSync(file.fileName, 'utf8')}\nexport const made = [${expression}].flat();`;
  const { outputText } = ts.transpileModule(text, {
    compilerOptions: { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022 },
  });
  const modules = new Map<string, unknown>();
  for (const [, name = ''] of outputText.matchAll(/require\("(.+?)"\)/g)) {
    const path = name.startsWith('.') ? new URL(name, `file://${file.fileName}`).pathname : name;
    modules.set(name, await import(/* @vite-ignore */ path));
  }
  const exported: { made: Statement[] } = { made: [] };
  compileFunction(outputText, ['require', 'exports'])(
    (name: string) => modules.get(name),
    exported,
  );
  return exported.made;
}

/** Returns the names of constant statements that no call sends. */
function unsent(files: ts.SourceFile[], sent: Sent[]): string[] {
  const names = new Set(sent.map(({ statement }) => statement.name));
  return files.flatMap((file) =>
    [...file.text.matchAll(/Statement = \{\s*name: '([\w-]+)'/g)]
      .flatMap(([, name]) => name ?? [])
      .filter((name) => !names.has(name)),
  );
}
