import type { GraphQLClient } from '../../src/cli/support/graphql-over-http.ts';
import { type ClosedSegment, closedSegments } from '../../src/cli/support/memory-client.ts';
import { type Decision, decisionOf, type LabelledCapture } from './capture-scores.ts';

type Client = Pick<GraphQLClient, 'request'>;

/** An implicit channel: inactivity divides past conversations into threads. */
export const TOLD = { channel: 'sms' };

/** What was decided on the last segment of a conversation, and on those before it. */
type Decided = {
  id: string;
  labelled: Decision;
  decided: Decision;
  /** The earliest first. */
  captured: ClosedSegment[];
};

/** Reads what the server decided on the last segment of each conversation. @throws if one is not decided yet */
export async function lastDecisions(
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
