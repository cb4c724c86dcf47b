import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { GraphQLClient } from '../../src/cli/support/graphql-over-http.ts';
import { hasWork, rememberTurns } from '../../src/cli/support/memory-client.ts';
import { showProgress } from '../../src/cli/support/progress.ts';
import { spreadOf } from '../support/measure.ts';
import { describeSetting, printResult, printSetting, printTable } from '../support/report.ts';
import {
  type EvaluatedConversation,
  type LabelledConversation,
  type LearnedFact,
  parseFacts,
  scoreFacts,
} from './fact-scores.ts';
import { OF_ITS_OWN, type Opening } from './opened.ts';
import { tellAll } from './tell-all.ts';

/** Each conversation is a thread. */
const TOLD = { channel: 'web', titled: true };

/** Milliseconds between two checks whether the background work is done. */
const POLL_EVERY = 100;

type Client = Pick<GraphQLClient, 'request'>;
type Options = { verbose?: boolean; databaseUrl?: string };

/** Lets a server learn facts from labelled conversations, and prints how they compare with the labels, and how fast it is. */
export async function evaluateFacts(
  file: string,
  { verbose = false, databaseUrl }: Options,
  { startServer }: Pick<Opening, 'startServer'> = OF_ITS_OWN,
): Promise<void> {
  const conversations = parseFacts(await readFile(file, 'utf8'));
  // The rules read words; only facts without a key are compared by semantic similarity.
  await using server = await startServer({ databaseUrl });
  await tellAll(server, conversations, TOLD);
  await untilLearned(server, conversations);
  const learned = await learnedFacts(server, conversations);
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

/** Waits until the facts of each conversation are known. Other background work does not change them. */
async function untilLearned(server: Client, conversations: readonly LabelledConversation[]) {
  using done = showProgress('conversations learned', conversations.length);
  for (const { id } of conversations) {
    while (await hasWork(server, id, 'extract-facts')) await delay(POLL_EVERY);
    done.add(1);
  }
}

/** Reads the facts that hold at the end of each conversation. */
async function learnedFacts(
  client: Client,
  conversations: readonly LabelledConversation[],
): Promise<{ conversation: LabelledConversation; facts: LearnedFact[] }[]> {
  const learned: { conversation: LabelledConversation; facts: LearnedFact[] }[] = [];
  for (const conversation of conversations) {
    learned.push({ conversation, facts: await activeFacts(client, conversation.id) });
  }
  return learned;
}

const FACTS = `query Facts($userId: String!) {
  user(userId: $userId) {
    facts(first: 100) { edges { node { id category key value statement polarity } } }
  }
}`;

/** Returns the facts of a user that hold. */
async function activeFacts(client: Client, userId: string): Promise<LearnedFact[]> {
  type Answer = { user: { facts: { edges: { node: LearnedFact }[] } } };
  const { user } = await client.request<Answer>(FACTS, { userId });
  return user.facts.edges.map(({ node }) => node);
}

/** How many corrections are timed, one after another. */
const CORRECTIONS = 5;
/** Milliseconds between two checks whether the expected fact is there. */
const LOOK_EVERY = 20;

/** Measures how many seconds it takes until a corrected fact is known. */
async function secondsToFact(server: Client) {
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
