import { InvalidReply, ModelFailed, ModelUnavailable } from '../../domain/core/errors.ts';
import type { ModelThread } from '../../local-models/model-thread.ts';
import type { Meter } from '../../openai/meter.ts';
import { type ObservedCall, observeCall } from '../../openai/observe-call.ts';
import { type Complete, withSchema } from '../openai/complete.ts';
import type { LocalReasonerAbout, LocalReply, LocalRequest } from './worker.ts';

export type LocalLanguageModel = ModelThread<LocalRequest, LocalReply, LocalReasonerAbout>;

/** More than the longest reply that a step takes. */
export const REPLY_TOKENS = 3_000;

const LIMIT_STATUS = 413;
const SILENT_STATUS = 408;

/** Does a task when it is the user's turn. */
export type InLine = <T>(
  userId: string,
  task: () => Promise<T>,
  signal?: AbortSignal,
) => Promise<T>;

type Services = {
  meter: Meter;
  observe: (call: ObservedCall) => void;
  /** One task at a time: there is one model. */
  inLine: InLine;
  /** As it is called in usage and metrics. */
  name: string;
  /** How long a request may take, in milliseconds. */
  timeout: number;
};

/** Puts requests to a model in this process, one at a time; users take turns. Its replies fit their schema by a grammar. */
export function createLocalComplete(
  model: LocalLanguageModel,
  { meter, observe, inLine, name, timeout }: Services,
): Complete {
  const run = async (request: LocalRequest, signal: AbortSignal | undefined) => {
    const ended = AbortSignal.timeout(timeout);
    try {
      return await model.run(request, signal ? AbortSignal.any([signal, ended]) : ended);
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof ModelUnavailable) throw error;
      const why = ended.aborted ? `took longer than ${timeout / 1000} s` : 'failed at this request';
      // Without a cause: what a library says may quote the text.
      throw new ModelFailed(`The local model ${why}.`, {
        status: ended.aborted ? SILENT_STATUS : undefined,
      });
    }
  };

  return async ({ step, messages, schema, temperature }, { userId, signal }) => {
    await meter.admit();
    // A grammar lets nothing else through; what the fields mean the model has to read.
    const told = withSchema(messages, schema);
    const request = { messages: told, schema, temperature, replyTokens: REPLY_TOKENS };
    const { text, isCut, ...usage } = await observeCall(observe, { step, model: name }, () =>
      inLine(userId, () => run(request, signal), signal),
    );
    if (text === null) {
      const room = model.about?.contextTokens ?? 0;
      throw new ModelFailed(
        `A request of ${usage.promptTokens} tokens leaves no room for a reply: the local model reads ${room}. Lower REASONER_INPUT_TOKENS.`,
        { status: LIMIT_STATUS },
      );
    }
    await meter.record(userId, { step, model: name, calls: 1, ...usage });
    if (isCut) throw new InvalidReply(step, ['it was cut off']);
    return text;
  };
}
