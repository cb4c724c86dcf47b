import { spawn } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import { Command } from 'commander';
import { countOption } from '../../src/cli/support/count-option.ts';
import { showProgress } from '../../src/cli/support/progress.ts';
import { CommandFailed, runCommand } from '../../src/cli/support/run-command.ts';
import { loadAverage } from '../support/measure.ts';
import { describeSetting, printResult, printTable } from '../support/report.ts';
import { FIGURES, type Figure, PARTS, type PartName } from './figures.ts';

// Runs the benchmarks one after the other, each beside its reference and, if asked for, beside another checkout.

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const PAGE = new URL('../../docs/performance.md', import.meta.url);
const RECORDED = new URL('recorded.json', import.meta.url);
/** How many times the recorded ratio is allowed, by default: two runs on a shared machine differ that much. */
const ALLOWED = 1.6;

type Options = {
  databaseUrl: string;
  beside?: string;
  short: boolean;
  only?: PartName[];
  allow: number;
  record: boolean;
  write: boolean;
};
type Result = Record<string, unknown>;
/** The results of a part: of this checkout, and of the one beside it. */
type Measured = { own: Result; beside: Result | null };
/** The ratios to beat, by form and by where they stand. */
type Recorded = Record<'full' | 'short', Record<string, number>>;

const BEGIN = '<!-- table: made by npm run bench -- --write -->';
const END = '<!-- end of the table -->';

const HEAD = [
  'figure',
  'measured',
  'goal',
  'reached',
  'reference',
  'times the reference',
  'other checkout',
];

const round = (figure: number): number => Number(figure.toPrecision(3));
const shown = (figure: number | null): string => (figure === null ? '' : String(round(figure)));

await runCommand(() =>
  new Command('npm run bench --')
    .description(
      'Runs all benchmarks beside their references, and compares with the goals and with recorded ratios.',
    )
    .requiredOption('--database-url <url>', 'PostgreSQL server on which to create databases')
    .option('--beside <folder>', 'another checkout, installed and built: each part runs there too')
    .option('--only <parts...>', `some of: ${Object.keys(PARTS).join(', ')}`)
    .option('--short', 'only the figures with a reference, in a minute', false)
    .option(
      '--allow <times>',
      'how many times the recorded ratio is allowed; more on a busy machine',
      countOption,
      ALLOWED,
    )
    .option('--record', 'records the ratios as those to compare with', false)
    .option('--write', 'writes the table to docs/performance.md', false)
    .action(measure)
    .parseAsync(),
);

async function measure(options: Options): Promise<void> {
  const form = options.short ? 'short' : 'full';
  const setting = await describeSetting('made-up chat messages', 'built-in', options.databaseUrl);
  const page = await readFile(PAGE, 'utf8');
  const recorded = JSON.parse(await readFile(RECORDED, 'utf8')) as Recorded;
  // After each part, so that a run that is stopped leaves what it has measured.
  const keep = async (measured: Map<PartName, Measured>) => {
    if (options.write) await writeFile(PAGE, withTable(page, tableOf(measured), setting));
    if (!options.record) return;
    const ratios = ratiosOf(measured).map(({ at, now }) => [at, round(now)]);
    const renewed = { ...recorded[form], ...Object.fromEntries(ratios) };
    await writeFile(RECORDED, `${JSON.stringify({ ...recorded, [form]: renewed }, null, 2)}\n`);
  };
  const { measured, failures } = await runParts(options, form, keep);
  printTable([HEAD, ...tableOf(measured)]);
  printResult({
    ...Object.fromEntries([...measured].map(([part, { own }]) => [part, own])),
    loadAverage: loadAverage(),
    ...setting,
  });
  const worse = ratiosOf(measured)
    .map((ratio) => ({ ...ratio, before: recorded[form][ratio.at] }))
    .filter(({ now, before }) => before !== undefined && now > before * options.allow);
  const problems = [
    ...failures,
    ...(options.record ? [] : worse).map(
      ({ name, now, before }) =>
        `${name}: ${round(now)} times the reference, recorded ${before}, allowed ${round((before ?? 0) * options.allow)}.`,
    ),
  ];
  if (problems.length > 0) throw new CommandFailed(problems.join('\n'));
}

function rowsOf(measured: ReadonlyMap<PartName, Measured>) {
  return FIGURES.filter(({ part }) => measured.has(part)).map((figure) => {
    const { own, beside } = measured.get(figure.part) as Measured;
    return { figure, value: figureIn(own, figure.at), before: figureIn(beside, figure.at), own };
  });
}

/** How many times the reference the figures are that have one; `at`: where that stands in the command's JSON. */
function ratiosOf(measured: ReadonlyMap<PartName, Measured>) {
  return rowsOf(measured).flatMap(({ figure: { ratioAt, name }, own }) => {
    const now = figureIn(own, ratioAt);
    return ratioAt && now !== null ? [{ at: ratioAt, name, now }] : [];
  });
}

function tableOf(measured: ReadonlyMap<PartName, Measured>): string[][] {
  return rowsOf(measured).map(({ figure, ...values }) => cellsOf(figure, values));
}

/** Runs the parts one after the other. If one fails, the others still run; its figures stay empty. */
async function runParts(
  { only, beside, databaseUrl }: Options,
  form: 'full' | 'short',
  onMeasured: (measured: Map<PartName, Measured>) => Promise<void>,
): Promise<{ measured: Map<PartName, Measured>; failures: string[] }> {
  const names = (Object.keys(PARTS) as PartName[]).filter((name) => !only || only.includes(name));
  const chosen = names.flatMap((name) => {
    const { command, onPostgres, [form]: sizes } = PARTS[name];
    return sizes
      ? [
          {
            name,
            command,
            args: [...sizes, ...(onPostgres ? ['--database-url', databaseUrl] : [])],
          },
        ]
      : [];
  });
  const measured = new Map<PartName, Measured>();
  const failures: string[] = [];
  const run = (folder: string, command: string, args: readonly string[]): Promise<Result> =>
    runIn(folder, command, args).catch((error: unknown) => {
      if (!(error instanceof CommandFailed)) throw error;
      failures.push(error.message);
      return {};
    });
  using done = showProgress('benchmarks', chosen.length);
  for (const { name, command, args } of chosen) {
    const own = await run(ROOT, command, args);
    const other =
      beside && (await hasCommand(beside, command)) ? await run(beside, command, args) : null;
    measured.set(name, { own, beside: other });
    await onMeasured(measured);
    done.add(1);
  }
  return { measured, failures };
}

/** Runs a command of a checkout. @returns the JSON of its last line */
async function runIn(folder: string, command: string, args: readonly string[]): Promise<Result> {
  const child = spawn('npm', ['run', '--silent', command, '--', ...args], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk;
  });
  const code = await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  if (code !== 0) throw new CommandFailed(`"npm run ${command}" ended with ${code}.\n${output}`);
  return JSON.parse(output.trimEnd().split('\n').at(-1) ?? '') as Result;
}

async function hasCommand(folder: string, command: string): Promise<boolean> {
  const { scripts } = JSON.parse(await readFile(`${folder}/package.json`, 'utf8')) as {
    scripts: Record<string, string>;
  };
  return command in scripts;
}

/** The figure at a place of a result, the median of several rounds; null if it is not there. */
function figureIn(result: Result | null, at: string | undefined): number | null {
  const value = at === undefined ? undefined : result?.[at];
  if (typeof value === 'number') return value;
  return (value as { median: number } | undefined)?.median ?? null;
}

function cellsOf(
  figure: Figure,
  { value, before, own }: { value: number | null; before: number | null; own: Result },
): string[] {
  const isReached = value !== null && (figure.higher ? value >= figure.goal : value <= figure.goal);
  return [
    figure.name,
    shown(value),
    `${figure.higher ? '≥' : '≤'} ${figure.goal}`,
    isReached ? 'yes' : 'no',
    shown(figureIn(own, figure.referenceAt)),
    shown(figureIn(own, figure.ratioAt)),
    shown(before),
  ];
}

function withTable(
  page: string,
  rows: readonly string[][],
  setting: { database: string; commit: string },
): string {
  const lines = [HEAD, HEAD.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
  const where = `Commit ${setting.commit}, ${setting.database}, Node.js ${process.versions.node}, ${cpus().length} cores, load ${loadAverage()}.`;
  const [head] = page.split(BEGIN);
  const [, tail] = page.split(END);
  return `${head}${BEGIN}\n\n${where}\n\n${lines.join('\n')}\n\n${END}${tail}`;
}
