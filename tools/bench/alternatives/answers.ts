import { askQuestions, missingIn } from '../../eval/chats/ask-questions.ts';
import { type Chat, type ChatQuestion, turnsOf } from '../../eval/chats/chat-file.ts';
import { packTexts } from '../../eval/chats/plain-search.ts';
import { tellChat } from '../../eval/chats/tell-chat.ts';
import type { ServerProcess } from '../../support/server-process.ts';
import type { Store } from './store.ts';

const HITS = 5;
const CONTEXT_TOKENS = 600;
/** More hits than fit into a context. */
const MANY = 50;

/** How many of the questions that have an answer can be answered. */
export type Answers = { questions: number; byFirstHits: number; inContext: number };

const questionsOf = ({ questions }: Chat): ChatQuestion[] =>
  questions.filter(({ kind }) => kind !== 'none');

const userOf = ({ id }: Chat): string => `chat-${id}`;

/** Asks a memory that returns texts. A context is as many of the first texts as fit. */
export async function answersOf(store: Store, chats: readonly Chat[]): Promise<Answers> {
  for (const chat of chats) {
    for (const { text } of turnsOf(chat)) await store.add(userOf(chat), text);
  }
  await store.settled(chats.map(userOf));
  const answers = { questions: 0, byFirstHits: 0, inContext: 0 };
  for (const chat of chats) {
    for (const { q, answer } of questionsOf(chat)) {
      const found = await store.find(userOf(chat), q, MANY);
      const answeredBy = (text: string) => missingIn(answer, text).length === 0;
      answers.questions += 1;
      if (answeredBy(found.slice(0, HITS).join('\n'))) answers.byFirstHits += 1;
      if (answeredBy(packTexts(found, CONTEXT_TOKENS))) answers.inContext += 1;
    }
  }
  return answers;
}

/** The same for this server, which is also told when and on which channel something was said. */
export async function ownAnswers(
  server: ServerProcess,
  settled: Store['settled'],
  chats: readonly Chat[],
): Promise<Answers> {
  for (const chat of chats) await tellChat(server, userOf(chat), chat, () => {});
  await settled(chats.map(userOf));
  const answers = { questions: 0, byFirstHits: 0, inContext: 0 };
  for (const chat of chats) {
    const asked = await askQuestions(server, userOf(chat), chat, CONTEXT_TOKENS, () => {});
    for (const { question, missing } of asked) {
      if (question.kind === 'none') continue;
      answers.questions += 1;
      if (missing.first.length === 0) answers.byFirstHits += 1;
      if (missing.context.length === 0) answers.inContext += 1;
    }
  }
  return answers;
}
