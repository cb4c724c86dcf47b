import ts from 'typescript';

/**
 * Runs an example of a document as it stands, with what it imports given.
 * @returns what it prints
 */
export async function runExample(code: string, given: Record<string, unknown>): Promise<string> {
  const lines: string[] = [];
  const names = {
    ...given,
    console: { log: (...values: unknown[]) => lines.push(values.map(String).join(' ')) },
  };
  const { outputText } = ts.transpileModule(code.replace(/^import .*$/gm, ''), {
    compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext },
  });
  const AsyncFunction = (async () => {}).constructor as typeof Function;
  await AsyncFunction(...Object.keys(names), outputText)(...Object.values(names));
  return lines.join('\n');
}
