import type { Verdict } from './pattern.ts';

const WIDTH = 120;
const short = (text: string): string => (text.length > WIDTH ? `${text.slice(0, WIDTH)}…` : text);

const ADVICE = `Write it so that no text is slow: anchor it, bound its repetitions ("\\s{1,20}"), let what follows a repetition begin with
something that the repetition does not take, or use string methods (trimEnd, split, indexOf) and a loop over the words.`;

/** Returns the lines of the report. Refused expressions come last. */
export function report(verdicts: readonly Verdict[], unseen: readonly string[]): string[] {
  const of = (outcome: Verdict['outcome'], isOwn: boolean) =>
    verdicts.filter((one) => one.outcome === outcome && one.pattern.isOwn === isOwn);
  const lines: string[] = [];
  const tried = of('tried', true);
  if (tried.length > 0) {
    lines.push('Not proven, but no rule objects and no hostile text was slow:');
    lines.push(...byFile(tried));
  }
  const refused = [...of('refused', true), ...of('refused', false)];
  if (refused.length > 0) {
    lines.push('', 'Refused:');
    lines.push(...refused.flatMap(described), '', ADVICE);
  }
  if (unseen.length > 0) {
    lines.push(
      '',
      'Not seen, since they are not built when their module is loaded. Make them constants:',
    );
    lines.push(...unseen.map((place) => `  ${place}`));
  }
  const count = (isOwn: boolean) =>
    (['proven', 'tried', 'refused'] as const).map((one) => `${of(one, isOwn).length} ${one}`);
  lines.push('', `patterns: ${count(true).join(', ')}, ${unseen.length} not seen`);
  lines.push(`of libraries, on a sentence: ${count(false).slice(1).join(', ')}`);
  return lines;
}

/** Counts the expressions in each file. One that a helper builds counts for the file that calls the helper. */
function byFile(verdicts: readonly Verdict[]): string[] {
  const counts = new Map<string, number>();
  for (const { pattern } of verdicts) {
    const file = pattern.places.at(-1)?.split(':')[0] ?? '';
    counts.set(file, (counts.get(file) ?? 0) + 1);
  }
  return [...counts].sort().map(([file, count]) => `  ${file}: ${count}`);
}

const described = ({ pattern, reason, attack }: Verdict): string[] => [
  `  ${pattern.places.join(' < ')}  ${reason}`,
  `    /${short(pattern.source)}/${pattern.flags}`,
  ...(attack === '' ? [] : [`    ${short(attack)}`]),
];
