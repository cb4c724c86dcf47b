import { type AgentMiddleware, createMiddleware } from 'langchain';
import { type AdapterOptions, createExchanges, type Question } from './exchange.ts';

export type { AdapterOptions } from './exchange.ts';

/** A message of LangChain, by its structure. */
type Message = { getType(): string; text: string };

/**
 * Middleware for `createAgent` that gives the agent a memory: what is known goes into the system message of each call of the
 * model, and both sides of the talk are remembered when the agent has answered. A loop of tools recalls once.
 */
export function memoryMiddleware(options: AdapterOptions): AgentMiddleware {
  const exchanges = createExchanges(options);

  return createMiddleware({
    name: 'MnemographMemory',
    async wrapModelCall(request, handler) {
      const context = (await exchanges.of(questionIn(request.messages))?.context) ?? '';
      if (context === '') return handler(request);
      const { systemMessage } = request;
      const separator = systemMessage.text === '' ? '' : '\n\n';
      return handler({ ...request, systemMessage: systemMessage.concat(`${separator}${context}`) });
    },
    async afterAgent({ messages }) {
      const question = questionIn(messages);
      const answers = messages.slice(question.place + 1);
      const spoken = answers.filter((message) => message.getType() === 'ai');
      const text = spoken.map((message) => message.text.trim()).filter(Boolean);
      const answer = text.length > 0 ? { text: text.join('\n\n') } : null;
      await exchanges.of({ ...question, isNew: false })?.remember(answer);
    },
  });
}

/** What the user asked last. */
function questionIn(messages: readonly Message[]): Question {
  const place = messages.findLastIndex((message) => message.getType() === 'human');
  return { text: messages[place]?.text.trim() ?? '', place, isNew: place === messages.length - 1 };
}
