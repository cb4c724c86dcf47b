import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { Command } from 'commander';
import { countOption } from '../../src/cli/support/count-option.ts';
import { importTurns, rememberTurns, untilSettled } from '../../src/cli/support/memory-client.ts';
import { showProgress } from '../../src/cli/support/progress.ts';
import { runCommand } from '../../src/cli/support/run-command.ts';
import { createBuiltInEmbedder } from '../../src/embedder/built-in/built-in.ts';
import { patient } from '../support/patiently.ts';
import { describeSetting, printResult, printSetting, printTable } from '../support/report.ts';
import { startServerProcess } from '../support/server-process.ts';
import { startStubModel } from '../support/stub-model.ts';
import { parseLocomo } from './locomo.ts';

type Options = { turns: number; live?: boolean; databaseUrl?: string };

type Usage = { step: string; calls: number; promptTokens: number; completionTokens: number };
const USAGE = `query Usage($userId: String!) {
  user(userId: $userId) { usage { step calls promptTokens completionTokens } }
}`;

async function evaluate(file: string, { turns: maxTurns, live = false, databaseUrl }: Options) {
  const conversations = parseLocomo(await readFile(file, 'utf8'));
  await using model = await startStubModel();
  const env = {
    REASONER: 'openai',
    REASONER_MODEL: 'stub',
    OPENAI_BASE_URL: model.baseUrl,
    OPENAI_API_KEY: 'stub',
  };
  await using server = patient(await startServerProcess({ databaseUrl, env }));
  const used: Usage[] = [];
  {
    using done = showProgress('conversations processed', conversations.length);
    for (const { id, self, turns } of conversations) {
      const first = turns
        .slice(0, maxTurns)
        .map(({ speaker, text, occurredAt }) => ({ speaker, text, occurredAt }));
      if (live) {
        for (const { speaker, text, occurredAt } of first) {
          const role = speaker === self ? 'USER' : 'ASSISTANT';
          await rememberTurns(server, id, 'sms', [{ role, text, occurredAt }]);
        }
      } else {
        await importTurns(server.memory.as(id), self, first);
      }
      await untilSettled(server, [id]);
      const { user } = await server.request<{ user: { usage: Usage[] } }>(USAGE, { userId: id });
      used.push(...user.usage);
      done.add(1);
    }
  }
  await using embedder = createBuiltInEmbedder();
  const setting = {
    ...(await describeSetting(basename(file), embedder.name, databaseUrl)),
    reasoner: 'stub of a model',
  };
  printSetting(setting);
  const mean = (of: (usage: Usage) => number, among: readonly Usage[]) =>
    among.reduce((sum, usage) => sum + of(usage), 0) / conversations.length;
  const figures = (among: readonly Usage[]) => ({
    calls: mean(({ calls }) => calls, among),
    promptTokens: mean(({ promptTokens }) => promptTokens, among),
    completionTokens: mean(({ completionTokens }) => completionTokens, among),
  });
  const steps = [...new Set(used.map(({ step }) => step))].sort();
  const bySteps = steps.map(
    (step) => [step, figures(used.filter((usage) => usage.step === step))] as const,
  );
  const all = figures(used);
  printTable([
    [
      `of ${maxTurns} turns, the mean of ${conversations.length}`,
      'calls',
      'tokens sent',
      'received',
    ],
    ...[...bySteps, ['all', all] as const].map(([step, usage]) => [
      step,
      usage.calls.toFixed(1),
      usage.promptTokens.toFixed(0),
      usage.completionTokens.toFixed(0),
    ]),
  ]);
  printResult({ ...all, turns: maxTurns, live, byStep: Object.fromEntries(bySteps), ...setting });
}

await runCommand(() =>
  new Command('npm run eval:model-cost --')
    .description(
      'Counts the requests to a model for the beginning of conversations, with a stub model.',
    )
    .argument('<file>', 'conversations in the shape of locomo10.json')
    .option('--turns <count>', 'how many turns of each conversation to use', countOption, 100)
    .option('--live', 'send the turns one by one, as a chat does, instead of importing them')
    .option('--database-url <url>', 'PostgreSQL server for a temporary database')
    .action(evaluate)
    .parseAsync(),
);
