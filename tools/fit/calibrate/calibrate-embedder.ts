import { writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Overrides } from '../../../src/app.ts';
import { CommandFailed } from '../../../src/cli/support/run-command.ts';
import { type Config, loadConfig } from '../../../src/config/config.ts';
import type { EmbeddingProfile } from '../../../src/domain/core/embedding-profile.ts';
import type { Embedder } from '../../../src/embedder/core/embedder.ts';
import { createEmbedder } from '../../../src/embedder/create-embedder.ts';
import { createLogger } from '../../../src/observability/logger.ts';
import type { Meter } from '../../../src/openai/meter.ts';
import { printResult, printTable } from '../../support/report.ts';
import type { Calibration } from '../calibration.ts';
import type { WeightScore } from './fusion-weight.ts';
import { measureProfile, profileText } from './measure-profile.ts';
import { readTalks } from './read-talks.ts';

/** Records no usage: no user's memory is involved. */
const NO_METER: Meter = { admit: async () => {}, record: async () => {} };

type Options = {
  /** Where to write the profile. */
  out?: string;
  /** The settings; by default those of the environment. */
  env?: Record<string, string>;
  /** Parts of the server that asks the questions which are open already. */
  parts?: Overrides;
};

/**
 * Measures how the cosines of the configured embedder are interpreted and weighted, and prints it.
 * @throws CommandFailed if the files do not fit, or if there is no embedder or it fails
 */
export async function calibrateEmbedder(
  files: string[],
  { out, env, parts }: Options,
): Promise<void> {
  const config = loadConfig(env);
  const { talks, locomo } = await readTalks(files);
  if (talks.length < 2) {
    throw new CommandFailed('Name a file of at least two conversations with topic boundaries.');
  }
  const embedder = await openEmbedder(config);
  await using _closing = embedder;
  try {
    const { name, profile, measured, scores } = await measureProfile(
      embedder,
      talks,
      locomo,
      parts,
    );
    report(name, files, profile, measured, scores);
    if (out) await writeFile(out, profileText(profile));
    printResult({ embedder: name, profile, measured, vectorWeights: scores });
  } catch (error) {
    const { code } = error as { code?: string };
    const expected = code === 'MODEL_UNAVAILABLE' || code === 'MODEL_FAILED';
    if (expected) throw new CommandFailed((error as Error).message, { cause: error });
    throw error;
  }
}

async function openEmbedder(config: Config): Promise<Embedder> {
  const logger = createLogger(config.logLevel);
  const embedder = await createEmbedder(config, {
    clock: () => new Date(),
    meter: NO_METER,
    notice: (level, what, event) => logger[level](what, event),
    // A local model may have to be downloaded first.
    patience: Number.POSITIVE_INFINITY,
  });
  if (!embedder) throw new CommandFailed('EMBEDDER: "none" has nothing to measure.');
  return embedder;
}

function report(
  name: string,
  files: readonly string[],
  { surprise, thresholds, vectorWeight }: EmbeddingProfile,
  { surpriseAtBoundaries, separation, pairs }: Calibration,
  scores: readonly WeightScore[],
): void {
  console.log(`\nembedder: ${name}\ndata: ${files.map((file) => basename(file)).join(', ')}\n`);
  const figure = (value: number) => value.toFixed(3);
  printTable([
    ['surprise', ''],
    ['inside a topic (median)', figure(surprise.typical)],
    ['inside a topic (95th percentile)', figure(surprise.high)],
    ['as a topic opens (median)', figure(surpriseAtBoundaries)],
  ]);
  printTable([
    ['threshold', 'cosine', 'separation', 'pairs'],
    ['topic', figure(thresholds.topic), figure(separation.topic), pairs.topic],
    ['novelty', figure(thresholds.novelty), figure(separation.novelty), pairs.novelty],
    ['same fact', figure(thresholds.sameFact), '', pairs.sameFact],
  ]);
  if (scores.length === 0) {
    console.log(`vector weight: ${vectorWeight}, not measured without questions\n`);
    return;
  }
  printTable([
    ['vector weight', 'recall@5 and @10'],
    ...scores.map(({ weight, score }) => [
      `${weight}${weight === vectorWeight ? ' (chosen)' : ''}`,
      figure(score),
    ]),
  ]);
}
