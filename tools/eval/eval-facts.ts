import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Command } from 'commander';
import { hasWork, rememberTurns } from '../../src/cli/support/memory-client.ts';
import { showProgress } from '../../src/cli/support/progress.ts';
import { runCommand } from '../../src/cli/support/run-command.ts';
import { spreadOf } from '../support/measure.ts';
import { describeSetting, printResult, printSetting, printTable } from '../support/report.ts';
import { type ServerProcess, startServerProcess } from '../support/server-process.ts';
import {
  type EvaluatedConversation,
  type LabelledConversation,
  type LearnedFact,
  parseFacts,
  scoreFacts,
} from './fact-scores.ts';

/** Milliseconds between two checks whether the background work is done. */
const POLL_EVERY = 100;

type Options = { verbose?: boolean; databaseUrl?: string };

async function evaluate(file: string, { verbose = false, databaseUrl }: Options): Promise<void> {
  const conversations = parseFacts(await readFile(file, 'utf8'));
  // The rules read words; only facts without a key are compared by semantic similarity.
  await using server = await startServerProcess({ databaseUrl });
  const learned = await learnAll(server, conversations);
  const seconds = await secondsToFact(server);
  const { scores, results } = scoreFacts(learned);
  const setting = await describeSetting(basename(file), 'built-in', databaseUrl);
  printSetting(setting);
  printTable([
    ['facts', 'share'],
    ...(['precision', 'recall', 'f1', 'categoryAgreement', 'keyAgreement'] as const).map((name) => [
      name,
      scores[name].toFixed(3),
    ]),
  ]);
  printTable([
    ['count', ''],
    ['conversations', results.length],
    ['labelled', scores.labelled],
    ['found', scores.found],
    ['matched', scores.matched],
  ]);
  printTable([
    ['seconds from the acknowledgement to the fact', 'median', 'longest'],
    [`of ${CORRECTIONS} corrections`, seconds.median.toFixed(2), seconds.max.toFixed(2)],
  ]);
  if (verbose) for (const result of results) printMistakes(result);
  printResult({ ...scores, secondsToFact: seconds, ...setting });
}

/** Stores each conversation in a memory of its own, and reads the facts that hold at the end. */
async function learnAll(server: ServerProcess, conversations: readonly LabelledConversation[]) {
  {
    using remembered = showProgress('conversations remembered', conversations.length);
    for (const { id, turns } of conversations) {
      await rememberTurns(server, id, 'web', turns, { title: id });
      remembered.add(1);
    }
  }
  using done = showProgress('conversations learned', conversations.length);
  const learned: { conversation: LabelledConversation; facts: LearnedFact[] }[] = [];
  for (const conversation of conversations) {
    // Other background work does not change the facts.
    while (await hasWork(server, conversation.id, 'extract-facts')) await delay(POLL_EVERY);
    learned.push({ conversation, facts: await activeFacts(server, conversation.id) });
    done.add(1);
  }
  return learned;
}

/** How many corrections are timed, one after another. */
const CORRECTIONS = 5;
/** Milliseconds between two checks whether the expected fact is there. */
const LOOK_EVERY = 20;

/** Measures how many seconds it takes until a corrected fact is known. */
async function secondsToFact(server: ServerProcess) {
  const age = async () =>
    (await activeFacts(server, 'timed')).find(({ key }) => key === 'profile:pet:luna:age')?.value;
  const say = (text: string) =>
    rememberTurns(server, 'timed', 'sms', [
      { role: 'USER', text, occurredAt: new Date().toISOString() },
    ]);
  const seconds: number[] = [];
  await say('My cat Luna is 3 years old.');
  while ((await age()) === undefined) await delay(LOOK_EVERY);
  for (let years = 4; years < 4 + CORRECTIONS; years += 1) {
    await say(`Luna turned ${years}.`);
    const from = performance.now();
    while ((await age()) !== String(years)) await delay(LOOK_EVERY);
    seconds.push((performance.now() - from) / 1000);
  }
  return spreadOf(seconds);
}

const FACTS = `query Facts($userId: String!) {
  user(userId: $userId) {
    facts(first: 100) { edges { node { id category key value statement polarity } } }
  }
}`;

async function activeFacts(server: ServerProcess, userId: string): Promise<LearnedFact[]> {
  type Answer = { user: { facts: { edges: { node: LearnedFact }[] } } };
  const { user } = await server.request<Answer>(FACTS, { userId });
  return user.facts.edges.map(({ node }) => node);
}

function printMistakes({ id, missed, extra, disagreeing }: EvaluatedConversation): void {
  if (missed.length + extra.length + disagreeing.length === 0) return;
  console.log(id);
  for (const fact of missed)
    console.log(`  missed  ${fact.polarity} ${fact.category} ${fact.value}`);
  for (const fact of extra) {
    console.log(`  wrong   ${fact.polarity} ${fact.category} ${fact.key} = ${fact.value}`);
  }
  for (const { label, fact } of disagreeing) {
    console.log(`  other   ${fact.category} ${fact.key}, not ${label.category} ${label.key ?? ''}`);
  }
}

await runCommand(() =>
  new Command('npm run eval:facts --')
    .description('Learns facts from labelled conversations, and compares them with the labels.')
    .argument('<file>', 'JSON lines of conversations and the facts that hold at their end')
    .option('--verbose', 'list the facts that were missed and the wrong ones')
    .option('--database-url <url>', 'PostgreSQL server for a temporary database')
    .action(evaluate)
    .parseAsync(),
);
