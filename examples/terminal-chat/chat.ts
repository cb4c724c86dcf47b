import { createInterface } from 'node:readline/promises';
import { withMemory } from '@mnemograph/adapters/ai-sdk';
import { createMemory } from '@mnemograph/client';
import { gateway, type ModelMessage, streamText } from 'ai';
import { stubModel } from './stub-model.ts';

const {
  MODEL,
  MNEMOGRAPH_URL: url = 'http://localhost:4000',
  MNEMOGRAPH_API_KEY: token,
} = process.env;

const memory = createMemory({ url, token });
const model = withMemory(MODEL ? gateway(MODEL) : stubModel(), { memory, channel: 'terminal' });
const messages: ModelMessage[] = [];

const terminal = createInterface({ input: process.stdin, output: process.stdout });
terminal.setPrompt('you> ');
terminal.prompt();
for await (const line of terminal) {
  const content = line.trim();
  if (content === '') break;
  messages.push({ role: 'user', content });
  let answer = '';
  process.stdout.write('assistant> ');
  for await (const part of streamText({ model, messages }).textStream) {
    process.stdout.write(part);
    answer += part;
  }
  process.stdout.write('\n');
  messages.push({ role: 'assistant', content: answer });
  terminal.prompt();
}
terminal.close();
