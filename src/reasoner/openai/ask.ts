import { InvalidReply } from '../../domain/core/errors.ts';
import type { ReasonerStep } from '../../domain/core/reasoning.ts';
import { cutText } from '../../language/text/tokens.ts';
import type { Call, StepArguments, StepOutput } from '../reasoner.ts';
import type { ChatMessage, Complete } from './complete.ts';
import { readReply, replySchema } from './json-reply.ts';
import { DATA_RULE, type Prompt } from './prompts/prompt.ts';

/** Runs a step on a model. Asks for a correction once if the reply is invalid. @throws InvalidReply if the second is too */
export type Ask = <S extends ReasonerStep, R>(
  prompt: Prompt<S, R>,
  input: StepArguments<S>,
  call: Call,
) => Promise<StepOutput<S>>;

/**
 * @param choose returns the model and the temperature of a step
 * @param inputTokens the most tokens of data in one request
 */
export function createAsk(
  complete: Complete,
  choose: (step: ReasonerStep) => { model: string; temperature: number },
  inputTokens: number,
): Ask {
  return async (prompt, input, call) => {
    const { step, task, reply } = prompt;
    const request = { step, ...choose(step), schema: replySchema(reply) };
    const messages: ChatMessage[] = [
      { role: 'system', content: `${task}\n\n${DATA_RULE}` },
      { role: 'user', content: prompt.write(input, inputTokens) },
    ];
    const read = (content: string) => {
      const parsed = readReply(content, reply);
      if (!parsed.ok) return parsed;
      const problems = prompt.check?.(parsed.value, input) ?? [];
      return problems.length > 0
        ? { ok: false as const, problems }
        : { ok: true as const, output: prompt.read(parsed.value, input) };
    };

    const content = await complete({ ...request, messages }, call);
    const first = read(content);
    if (first.ok) return first.output;
    const corrected = await complete(
      { ...request, messages: [...messages, ...repair(content, first.problems)] },
      call,
    );
    const second = read(corrected);
    if (second.ok) return second.output;
    throw new InvalidReply(step, second.problems);
  };
}

/** How many tokens of an invalid reply are sent back to the model. */
const SHOWN = 1_000;

const repair = (content: string, problems: readonly string[]): ChatMessage[] => [
  { role: 'assistant', content: cutText(content, SHOWN) },
  {
    role: 'user',
    content: `Your reply cannot be used:\n${problems.map((problem) => `- ${problem}`).join('\n')}\nReply again with the mended JSON object and nothing else.`,
  },
];
