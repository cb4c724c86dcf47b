import { askQuestions, missingIn } from '../../eval/chats/ask-questions.ts';
import { type Chat, type ChatQuestion, turnsOf } from '../../eval/chats/chat-file.ts';
import { packTexts } from '../../eval/chats/plain-search.ts';
import { sendChat } from '../../eval/chats/send-chat.ts';
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

type Answered = Pick<Record<keyof Answers, boolean>, 'byFirstHits' | 'inContext'>;

function counted(answered: readonly Answered[]): Answers {
  const count = (way: keyof Answered) => answered.filter((one) => one[way]).length;
  return {
    questions: answered.length,
    byFirstHits: count('byFirstHits'),
    inContext: count('inContext'),
  };
}

/** Asks a memory that returns texts. A context is as many of the first texts as fit. */
export async function answersOf(store: Store, chats: readonly Chat[]): Promise<Answers> {
  for (const chat of chats) {
    for (const { text } of turnsOf(chat)) await store.add(userOf(chat), text);
  }
  await store.settled(chats.map(userOf));
  const answered: Answered[] = [];
  for (const chat of chats) {
    for (const { q, answer } of questionsOf(chat)) {
      const found = await store.find(userOf(chat), q, MANY);
      const isIn = (text: string) => missingIn(answer, text).length === 0;
      answered.push({
        byFirstHits: isIn(found.slice(0, HITS).join('\n')),
        inContext: isIn(packTexts(found, CONTEXT_TOKENS)),
      });
    }
  }
  return counted(answered);
}

/** The same for this server, which is also told when and on which channel something was said. */
export async function ownAnswers(
  server: ServerProcess,
  settled: Store['settled'],
  chats: readonly Chat[],
): Promise<Answers> {
  for (const chat of chats) await sendChat(server, userOf(chat), chat, () => {});
  await settled(chats.map(userOf));
  const answered: Answered[] = [];
  for (const chat of chats) {
    const questions = { ...chat, questions: questionsOf(chat) };
    const asked = await askQuestions(server, userOf(chat), questions, CONTEXT_TOKENS, () => {});
    answered.push(
      ...asked.map(({ missing: { first, context } }) => ({
        byFirstHits: first.length === 0,
        inContext: context.length === 0,
      })),
    );
  }
  return counted(answered);
}
