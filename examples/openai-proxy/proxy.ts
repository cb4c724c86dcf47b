import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { createMemory } from '@mnemograph/client';

const {
  OPENAI_BASE_URL = 'https://api.openai.com/v1',
  PORT = '4001',
  MNEMOGRAPH_URL: url = 'http://localhost:4000',
  MNEMOGRAPH_API_KEY: apiKey,
  MNEMOGRAPH_USER: user,
} = process.env;

const open = createMemory({ url, apiKey, retries: 0 });
const memory = user ? open.as(user) : open;
const channel = 'openai';
/** How long a call waits for memory, in milliseconds. */
const call = { timeout: 3_000 };
/** Headers that belong to one connection. */
const HOP = /^(host|connection|content-length|transfer-encoding|accept-encoding|content-encoding)$/;

type Part = { type: string; text?: string };
type Message = { role: string; content?: string | Part[] | null };
type Chat = { messages?: Message[] };
type Choice = { message?: Message; delta?: Message };

const LOCAL = /^(localhost|127\.0\.0\.1|\[::1\])$/;
const isLocal = (url: string) => URL.canParse(url) && LOCAL.test(new URL(url).hostname);

/** Pages of other sites may not use it: a browser says where a request comes from, and by which name it found this machine. */
const isForeign = ({ headers: { host, origin = '' } }: IncomingMessage): boolean =>
  !isLocal(`http://${host}`) || (/^(https?:|null$)/.test(origin) && !isLocal(origin));

function fail(response: ServerResponse, status: number, message: string): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ error: { message } }));
}

const server = createServer((request, response) => {
  if (isForeign(request)) return fail(response, 403, 'Only programs and pages of this machine.');
  serve(request, response).catch((error: Error) => {
    console.error(error.message);
    // Half an answer must not look like a whole one.
    if (response.headersSent) return void response.destroy();
    fail(response, 502, `The model's server cannot be reached: ${error.message}`);
  });
});
server.listen(Number(PORT), '127.0.0.1', () => {
  const { port } = server.address() as { port: number };
  console.log(`OpenAI-compatible, with memory: http://localhost:${port}/v1`);
});

async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method = 'GET', url: path = '/' } = request;
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  let body: Uint8Array<ArrayBuffer> | string = Buffer.concat(chunks);
  const isChat = method === 'POST' && /^\/v1\/chat\/completions\b/.test(path);
  const chat = isChat ? chatIn(body) : null;
  const question = chat ? questionIn(chat) : '';
  if (chat && question !== '') body = JSON.stringify(withContext(chat, await contextOf(question)));

  const gone = new AbortController();
  response.once('close', () => gone.abort());
  const answer = await fetch(`${OPENAI_BASE_URL}${path.replace(/^\/v1/, '')}`, {
    method,
    headers: headersOf(
      Object.entries(request.headersDistinct).map(([name, values = []]) => [
        name,
        values.join(', '),
      ]),
    ),
    signal: gone.signal,
    body: method === 'GET' || method === 'HEAD' ? null : body,
  });
  const said = await passOn(answer, response);
  if (question !== '' && answer.ok) await remember(question, answerIn(said));
}

/** Sends an answer on as it comes. @returns its text */
async function passOn(answer: Response, response: ServerResponse): Promise<string> {
  response.writeHead(answer.status, headersOf([...answer.headers]));
  const chunks: Buffer[] = [];
  if (answer.body) {
    for await (const chunk of Readable.fromWeb(answer.body as never)) {
      chunks.push(chunk as Buffer);
      response.write(chunk);
    }
  }
  response.end();
  return Buffer.concat(chunks).toString('utf8');
}

const headersOf = (headers: [string, string][]): Record<string, string> =>
  Object.fromEntries(headers.filter(([name]) => !HOP.test(name)));

function chatIn(body: Uint8Array): Chat | null {
  try {
    return JSON.parse(new TextDecoder().decode(body)) as Chat;
  } catch {
    // The model's server says what is wrong with it.
    return null;
  }
}

/** The last message, if the user wrote it: calls with the results of tools belong to the same question. */
function questionIn({ messages }: Chat): string {
  const last = Array.isArray(messages) ? messages.at(-1) : undefined;
  return last?.role === 'user' ? wordsOf(last).trim() : '';
}

const wordsOf = ({ content }: Message): string =>
  typeof content === 'string' ? content : (content ?? []).map(({ text = '' }) => text).join('\n');

/** Puts the context after the client's own system messages. */
function withContext(chat: Chat, content: string): Chat {
  const messages = chat.messages ?? [];
  if (content === '') return chat;
  const place = messages.findIndex(({ role }) => role !== 'system' && role !== 'developer');
  return { ...chat, messages: messages.toSpliced(place, 0, { role: 'system', content }) };
}

function contextOf(question: string): Promise<string> {
  return memory
    .context(question.slice(0, 10_000), { channel, maxTokens: 2_000 }, call)
    .then(({ markdown }) => markdown, away);
}

async function remember(question: string, answer: string): Promise<void> {
  const turns = [
    { text: question },
    ...(answer.trim() === '' ? [] : [{ role: 'ASSISTANT' as const, text: answer }]),
  ];
  await memory.remember({ channel, turns }, call).catch(away);
}

function away(error: Error): string {
  console.error(`Mnemograph is away, and the call goes on without it: ${error.message}`);
  return '';
}

/** The words of an answer: of one JSON object, or of all the events of a stream. */
function answerIn(text: string): string {
  const events = text.startsWith('{')
    ? [text]
    : text.split(/\r?\n/).flatMap((line) => /^data: *(\{.*)/.exec(line)?.[1] ?? []);
  return events
    .flatMap((event) => (JSON.parse(event) as { choices?: Choice[] }).choices?.[0] ?? [])
    .map(({ message, delta }) => wordsOf(message ?? delta ?? { role: 'assistant' }))
    .join('');
}
