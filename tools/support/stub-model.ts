import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tokensOf } from '../../src/language/text/tokens.ts';

/** The length of a topic, in turns. */
const TOPIC = 8;

type Chat = {
  model: string;
  messages: { content: string }[];
  response_format?: { json_schema?: { name?: string; schema?: { properties?: object } } };
};

const words = (count: number, word = 'word') => Array(count).fill(word).join(' ');

const fact = (turn: number) => ({
  action: 'NEW',
  factId: null,
  category: 'GOAL',
  key: `goal:stub_${turn}`,
  value: words(3),
  statement: words(8),
  polarity: 'POSITIVE',
  scope: null,
  confidence: 0.9,
  importance: 0.7,
  isCorrection: false,
  turn,
});

const HEADING = { title: words(8), topic: words(6), approach: words(6) };
const DESCRIPTION = { ...HEADING, summary: words(40), outcomes: [] };

/** Returns the numbers of the turns in a request. */
const turnsOf = (text: string) =>
  [...text.matchAll(/^\[(\d+)\] (?:USER|ASSISTANT|OTHER|TOOL|SYSTEM)\b/gm)].map(([, number]) =>
    Number(number),
  );

const DETAILS = { meso: words(120), macro: words(30), skills: [] };

/** Replies by step. They are as long as a model's replies usually are, and make no sense. */
const REPLIES: Record<string, (text: string, wanted: object) => object> = {
  find_boundaries: (text, wanted) => {
    const starts = turnsOf(text).filter((turn) => turn % TOPIC === 0);
    const part = { confidence: 0.9, level: 'LOW', ...DESCRIPTION };
    return {
      segments: starts.map((first) => ({ first, ...part })),
      ...('whole' in wanted ? { whole: starts.length > 1 ? null : DETAILS } : {}),
    };
  },
  judge_surprise: () => ({ level: 'LOW' }),
  describe_segment: () => DESCRIPTION,
  compact: () => ({ heading: HEADING, micro: words(30), ...DETAILS }),
  extract_facts: (text) => ({ facts: [fact(turnsOf(text).at(-1) ?? 0)] }),
  same_fact: () => ({ same: false, confidence: 0.8 }),
  summarize_episodes: () => ({ summary: words(80) }),
  synthesize_profile: () => ({
    communication: words(30),
    technical: words(30),
    workPattern: words(30),
    personalContext: words(30),
    prose: words(120),
  }),
  assess_relatedness: (text) => ({
    assessments: Array.from({ length: text.match(/^<thread>/gm)?.length ?? 1 }, () => ({
      related: false,
      confidence: 0.8,
      reasoning: words(20),
      keySignals: [],
    })),
  }),
  rate_retrieved: (text) => ({ ratings: turnsOf(text).map(() => 'GOOD') }),
};

/** Starts an OpenAI-compatible server that replies at once, with texts that make no sense. It serves to count requests and tokens. */
export async function startStubModel(): Promise<AsyncDisposable & { baseUrl: string }> {
  const http = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const chat = JSON.parse(Buffer.concat(chunks).toString()) as Chat;
    const text = chat.messages.map(({ content }) => content).join('\n');
    const { name = '', schema } = chat.response_format?.json_schema ?? {};
    const reply = REPLIES[name]?.(text, schema?.properties ?? {}) ?? {};
    const content = JSON.stringify(reply);
    const [prompt, completion] = [tokensOf(text), tokensOf(content)];
    response.writeHead(200, { 'content-type': 'application/json' }).end(
      JSON.stringify({
        id: 'stub',
        object: 'chat.completion',
        created: 0,
        model: chat.model,
        choices: [
          {
            index: 0,
            finish_reason: 'stop',
            message: { role: 'assistant', content, refusal: null },
          },
        ],
        usage: {
          prompt_tokens: prompt,
          completion_tokens: completion,
          total_tokens: prompt + completion,
        },
      }),
    );
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  return {
    baseUrl: `http://127.0.0.1:${(http.address() as AddressInfo).port}/v1`,
    async [Symbol.asyncDispose]() {
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
}
