import type { GraphQLClient } from '../../src/cli/support/graphql-over-http.ts';
import { showProgress } from '../../src/cli/support/progress.ts';
import type { LocomoConversation } from './locomo.ts';
import { countQuestions, dayAfter } from './locomo-questions.ts';

type Client = Pick<GraphQLClient, 'request'>;

/** Token budgets of the prompt context. */
const BUDGETS = [500, 1_000, 2_000, 4_000];
/** An implicit channel: the question opens a thread of its own. */
const CHANNEL = 'sms';

const CONTEXT = `query Context($input: ContextInput!) {
  context(input: $input) {
    __typename
    ... on ContextPayload { markdown tokens }
    ... on Error { message }
  }
}`;

/** Returns the share of the questions' evidence that the prompt context contains, for each token budget. */
export async function scoreContexts(
  server: Client,
  conversations: readonly LocomoConversation[],
): Promise<Record<string, number>> {
  const shares: Record<string, number> = {};
  using progress = showProgress('contexts', countQuestions(conversations) * BUDGETS.length);
  for (const maxTokens of BUDGETS) {
    let sum = 0;
    for (const { id: userId, turns, questions } of conversations) {
      const asOf = dayAfter(turns);
      const textOf = new Map(turns.map(({ id, text }) => [id, oneLine(text)]));
      for (const { text: message, evidence } of questions) {
        const block = await blockFor(server, {
          userId,
          channel: CHANNEL,
          message,
          asOf,
          maxTokens,
        });
        const inside = evidence.filter((id) => block.includes(textOf.get(id) ?? id));
        sum += inside.length / evidence.length;
        progress.add(1);
      }
    }
    shares[`evidence@${maxTokens}`] = sum / countQuestions(conversations);
  }
  return shares;
}

async function blockFor(server: Client, input: object): Promise<string> {
  const { context } = await server.request<{
    context: { __typename: string; markdown: string };
  }>(CONTEXT, { input });
  if (context.__typename !== 'ContextPayload') throw new Error(JSON.stringify(context));
  return oneLine(context.markdown);
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();
