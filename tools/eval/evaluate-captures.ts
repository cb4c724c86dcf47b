import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import type { GraphQLClient } from '../../src/cli/support/graphql-over-http.ts';
import {
  type ClosedSegment,
  closedSegments,
  untilSettled,
} from '../../src/cli/support/memory-client.ts';
import { showProgress } from '../../src/cli/support/progress.ts';
import { CommandFailed } from '../../src/cli/support/run-command.ts';
import { BUILT_IN_MODEL } from '../../src/domain/core/embedding-profile.ts';
import { describeSetting, printResult, printSetting, printTable } from '../support/report.ts';
import {
  DECISIONS,
  type Decision,
  decisionOf,
  type LabelledCapture,
  parseCaptures,
  scoreCaptures,
} from './capture-scores.ts';
import { OF_ITS_OWN, type Opening } from './opened.ts';
import { tellAll } from './tell-all.ts';

type Client = Pick<GraphQLClient, 'request'>;
type Options = { verbose?: boolean; databaseUrl?: string };

/** An implicit channel: inactivity divides past conversations into threads. */
const TOLD = { channel: 'sms' };

/**
 * Lets a server decide what becomes an episode, and prints how the decisions compare with the labels.
 * @throws CommandFailed if the file has another shape
 */
export async function evaluateCaptures(
  file: string,
  { verbose = false, databaseUrl }: Options,
  { startServer }: Pick<Opening, 'startServer'> = OF_ITS_OWN,
): Promise<void> {
  const conversations = await readCaptures(file);
  await using server = await startServer({ databaseUrl });
  await tellAll(server, conversations, TOLD);
  {
    using done = showProgress('conversations captured', conversations.length);
    const users = conversations.map(({ id }) => id);
    await untilSettled(server, users, () => done.add(1));
  }
  const results = await lastDecisions(server, conversations);
  const setting = await describeSetting(basename(file), BUILT_IN_MODEL, databaseUrl);
  printSetting(setting);
  const scores = scoreCaptures(results);
  printTable([
    ['labelled', ...DECISIONS],
    ...DECISIONS.map((labelled) => [
      labelled,
      ...DECISIONS.map((decided) => scores.byDecision[labelled][decided]),
    ]),
  ]);
  printTable([
    ['accuracy', 'conversations'],
    [scores.accuracy.toFixed(3), results.length],
  ]);
  for (const { id, labelled, decided, captured } of results) {
    if (verbose || labelled !== decided) printDecisions(id, labelled, captured);
  }
  printResult({ ...scores, conversations: results.length, ...setting });
}

async function readCaptures(file: string): Promise<LabelledCapture[]> {
  const text = await readFile(file, 'utf8');
  try {
    return parseCaptures(text);
  } catch (cause) {
    const shape = '{"id","turns":[…],"decision":"CREATE|MERGE|SKIP"}';
    throw new CommandFailed(`${file} holds no JSON lines of ${shape}.`, { cause });
  }
}

/** What was decided on the last segment of a conversation, and on those before it. */
type Decided = {
  id: string;
  labelled: Decision;
  decided: Decision;
  /** The earliest first. */
  captured: ClosedSegment[];
};

/** Reads what the server decided on the last segment of each conversation. @throws if one is not decided yet */
async function lastDecisions(
  client: Client,
  conversations: readonly LabelledCapture[],
): Promise<Decided[]> {
  const results: Decided[] = [];
  for (const { id, decision: labelled } of conversations) {
    const captured = (await closedSegments(client, id)).reverse();
    const decided = decisionOf(captured.at(-1)?.capture ?? 'without a segment');
    results.push({ id, labelled, decided, captured });
  }
  return results;
}

function printDecisions(id: string, labelled: string, captured: readonly ClosedSegment[]): void {
  console.log(`${id}, labelled ${labelled}`);
  for (const { firstTurn, lastTurn, capture, captureReason, captureSignals } of captured) {
    const figures = Object.entries(captureSignals ?? {}).map(
      ([name, value]) => `${name} ${value.toFixed(2)}`,
    );
    console.log(`  ${firstTurn}-${lastTurn} ${capture}, ${captureReason}: ${figures.join(', ')}`);
  }
}
