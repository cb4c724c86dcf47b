import type { GraphQLClient } from '../../../src/cli/support/graphql-over-http.ts';
import type { Chat, ChatQuestion } from './chat-file.ts';
import { turnsOf } from './chat-file.ts';
import { createPlainSearch, packTexts } from './plain-search.ts';

type Client = Pick<GraphQLClient, 'request'>;

/** How many hits each recall requests. */
const HITS = 5;
/** An implicit channel: the question opens a thread of its own. */
const CHANNEL = 'sms';

/** What a memory returns for a question, and which expressions of the answer are missing in it. */
export type Asked = {
  question: ChatQuestion;
  block: string;
  hits: string[];
  missing: { context: RegExp[]; first: RegExp[]; plainContext: RegExp[]; plainFirst: RegExp[] };
};

const ASK = `query Ask($context: ContextInput!, $recall: RecallInput!) {
  context(input: $context) {
    __typename
    ... on ContextPayload { markdown }
    ... on Error { message }
  }
  recall(input: $recall) {
    __typename
    ... on RecallPayload {
      hits {
        kind
        ... on TurnHit { turn { text } }
        ... on EpisodeHit { title text: summary turns { text } }
        ... on FactHit { fact { statement value } }
        ... on SemanticMemoryHit { text: summary }
        ... on SkillHit { title: name text: description }
      }
    }
    ... on Error { message }
  }
}`;

type Hit = {
  kind: string;
  title?: string;
  text?: string;
  turn?: { text: string };
  turns?: { text: string }[];
  fact?: { statement: string; value: string };
};
type Answer = {
  context: { __typename: string; markdown: string };
  recall: { __typename: string; hits: Hit[] };
};

/** Asks every question at its time, by its text only. @throws if a request is refused */
export async function askQuestions(
  client: Client,
  userId: string,
  chat: Chat,
  maxTokens: number,
  onAsked: () => void,
): Promise<Asked[]> {
  const plain = createPlainSearch(turnsOf(chat).map(({ text }) => text));
  const asked: Asked[] = [];
  for (const question of chat.questions) {
    const { q, at: asOf, answer } = question;
    const { context, recall } = await client.request<Answer>(ASK, {
      context: { userId, channel: CHANNEL, message: q, asOf, maxTokens },
      recall: { userId, query: q, asOf, first: HITS },
    });
    if (context.__typename !== 'ContextPayload') throw new Error(JSON.stringify(context));
    if (recall.__typename !== 'RecallPayload') throw new Error(JSON.stringify(recall));
    const hits = recall.hits.map((hit) => `${hit.kind} ${textOf(hit)}`);
    const found = plain.find(q);
    asked.push({
      question,
      block: context.markdown,
      hits,
      missing: {
        context: missingIn(answer, context.markdown),
        first: missingIn(answer, recall.hits.map(textOf).join('\n')),
        plainContext: missingIn(answer, packTexts(found, maxTokens)),
        plainFirst: missingIn(answer, found.slice(0, HITS).join('\n')),
      },
    });
    onAsked();
  }
  return asked;
}

const textOf = ({ title, text, turn, turns = [], fact }: Hit): string =>
  [title, text, fact?.statement, fact?.value, turn?.text, ...turns.map((one) => one.text)]
    .filter((part) => part !== undefined)
    .join(' ');

/** Returns the expressions of an answer that match nowhere in a text. Line breaks count as spaces. */
export function missingIn(answer: readonly RegExp[], text: string): RegExp[] {
  const line = text.replace(/\s+/g, ' ');
  return answer.filter((expression) => !expression.test(line));
}
