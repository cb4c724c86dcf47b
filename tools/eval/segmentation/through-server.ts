import type { GraphQLClient } from '../../../src/cli/support/graphql-over-http.ts';
import {
  captureEverything,
  closedSegments,
  rememberTurns,
  untilSettled,
} from '../../../src/cli/support/memory-client.ts';
import { showProgress } from '../../../src/cli/support/progress.ts';
import type { LocomoConversation } from '../locomo.ts';
import {
  type SegmentationScores,
  type Segmented,
  scoreSegmentation,
} from './segmentation-scores.ts';
import { spliceSessions } from './splice-sessions.ts';

type Client = Pick<GraphQLClient, 'request'>;

/** Counts how many turns of the given users are in one segment, in none, and in several. */
export async function coverageOf(client: Client, userIds: readonly string[]) {
  const coverage = { once: 0, never: 0, moreThanOnce: 0, segments: 0 };
  for (const userId of userIds) {
    const segments = await closedSegments(client, userId);
    coverage.segments += segments.length;
    const turns = new Map<string, number>();
    for (const { thread, firstTurn, lastTurn } of segments) {
      for (let turn = firstTurn; turn <= lastTurn; turn += 1) {
        const key = `${thread.id} ${turn}`;
        turns.set(key, (turns.get(key) ?? 0) + 1);
      }
    }
    coverage.once += [...turns.values()].filter((count) => count === 1).length;
    coverage.moreThanOnce += [...turns.values()].filter((count) => count > 1).length;
    coverage.never += (await countTurns(client, userId)) - turns.size;
  }
  return coverage;
}

async function countTurns(client: Client, userId: string): Promise<number> {
  const query = 'query Count($userId: String!) { user(userId: $userId) { turnCount } }';
  const { user } = await client.request<{ user: { turnCount: number } }>(query, { userId });
  return user.turnCount;
}

/** Seconds between the turns of a spliced thread: always the same, so that no pause reveals a joint. */
const APART = 20;
const START = Date.UTC(2024, 0, 1);

/** Joins runs of sessions into threads, lets the server segment them, and compares its boundaries with the joints. */
export async function evaluateSplices(
  client: Client,
  conversations: readonly LocomoConversation[],
): Promise<SegmentationScores & { conversations: number }> {
  const splices = conversations.flatMap((conversation) => spliceSessions(conversation));
  using done = showProgress('joined sessions', splices.length);
  const segmented: Segmented[] = [];
  for (const { id } of splices) await captureEverything(client, `splice ${id}`);
  for (const { id, utterances } of splices) {
    const sent = utterances.map((text, index) => ({
      role: index % 2 ? 'ASSISTANT' : 'USER',
      text,
      occurredAt: new Date(START + index * APART * 1000).toISOString(),
    }));
    await rememberTurns(client, `splice ${id}`, 'sms', sent);
  }
  for (const { id, utterances, boundaries } of splices) {
    await untilSettled(client, [`splice ${id}`]);
    const segments = await closedSegments(client, `splice ${id}`);
    const found = segments.map(({ firstTurn }) => firstTurn - 1).filter((first) => first > 0);
    segmented.push({ turns: utterances.length, boundaries, found });
    done.add(1);
  }
  return { ...scoreSegmentation(segmented), conversations: splices.length };
}
