import { InvalidReply, ModelFailed, ModelUnavailable } from '../../domain/core/errors.ts';
import type { ModelThread } from '../../local-models/model-thread.ts';
import type { Meter } from '../../openai/meter.ts';
import { type ObservedCall, observeCall } from '../../openai/observe-call.ts';
import { type Complete, withSchema } from '../openai/complete.ts';
import type { LocalReasonerAbout, LocalReply, LocalRequest } from './worker.ts';

export type LocalLanguageModel = ModelThread<LocalRequest, LocalReply, LocalReasonerAbout>;

/** The most tokens of a reply: more than the longest reply of any step. */
export const REPLY_TOKENS = 3_000;

const LIMIT_STATUS = 413;
const SILENT_STATUS = 408;

/** Runs a task when it is the user's turn. */
export type InLine = <T>(
  place: { userId: string; signal?: AbortSignal | undefined },
  task: () => Promise<T>,
) => Promise<T>;

type Services = {
  meter: Meter;
  observe: (call: ObservedCall) => void;
  /** Runs one task at a time, since there is one model. */
  inLine: InLine;
  /** The model's name in usage and metrics. */
  name: string;
  /** The timeout of a request, in milliseconds. */
  timeout: number;
};

/** Sends requests to a model in this process, one at a time; users take turns. A grammar makes every reply fit its schema. */
export function createLocalComplete(
  model: LocalLanguageModel,
  { meter, observe, inLine, name, timeout }: Services,
): Complete {
  const run = async (request: LocalRequest, signal: AbortSignal | undefined) => {
    const deadline = AbortSignal.timeout(timeout);
    try {
      return await model.run(request, signal ? AbortSignal.any([signal, deadline]) : deadline);
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof ModelUnavailable) throw error;
      const why = deadline.aborted
        ? `took longer than ${timeout / 1000} s`
        : 'failed on this request';
      // Omit the cause: the library's message may quote the text.
      throw new ModelFailed(`The local model ${why}.`, {
        status: deadline.aborted ? SILENT_STATUS : undefined,
      });
    }
  };

  return async ({ step, messages, schema, temperature }, { userId, signal }) => {
    await meter.admit();
    const request = {
      // The grammar enforces the schema, but only the schema's text says what the fields mean.
      messages: withSchema(messages, schema),
      schema,
      temperature,
      replyTokens: REPLY_TOKENS,
    };
    const { text, isCut, ...usage } = await observeCall(observe, { step, model: name }, () =>
      inLine({ userId, signal }, () => run(request, signal)),
    );
    if (text === null) {
      const contextTokens = model.about?.contextTokens ?? 0;
      throw new ModelFailed(
        `A request of ${usage.promptTokens} tokens leaves no room for a reply: the local model reads ${contextTokens} tokens, the reply included. ` +
          'Lower REASONER_INPUT_TOKENS.',
        { status: LIMIT_STATUS },
      );
    }
    await meter.record(userId, { step, model: name, calls: 1, ...usage });
    if (isCut) throw new InvalidReply(step, ['it was cut off']);
    return text;
  };
}
