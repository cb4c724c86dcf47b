import type { ServerResponse } from 'node:http';
import type { ExecutionResult } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import type { Context } from '../../context.ts';
import { giveWay } from '../../domain/core/give-way.ts';
import type { Answer } from '../../schema/core/answer.ts';
import type { RequestContext } from '../../schema/core/request-context.ts';
import { maskError } from '../errors/errors.ts';
import { createSlowConsumerGuard, sentBytesOf } from '../streams/slow-consumer-guard.ts';

type AnswerContext = RequestContext & { res?: ServerResponse };

/** Refuses an answer as a whole if it becomes too large. The memory of an answer counts against the limit until it is sent. */
export function useAnswerSize(app: Context): Plugin<AnswerContext> {
  // While a client does not read a large answer, other answers would have to wait.
  const guard = createSlowConsumerGuard({ most: 0, all: Number.POSITIVE_INFINITY });

  const refused = ({ refusal }: Answer): ExecutionResult | null =>
    refusal && { errors: [maskError(app, refusal) as never] };

  const whenSent = (answer: Answer, res: ServerResponse | undefined) => {
    // Over WebSocket the answer is passed to the socket next, whose own guard watches it.
    if (!res || res.closed) return setTimeout(answer.leave);
    const unguard = guard.watch({
      pendingBytes: () => res.writableLength,
      sentBytes: () => sentBytesOf(res.req.socket),
      drop: () => res.destroy(),
    });
    return res.once('close', () => {
      unguard();
      answer.leave();
    });
  };

  return {
    onExecute({ args: { contextValue }, executeFn, setExecuteFn }) {
      const { answer, res } = contextValue as AnswerContext;
      setExecuteFn(async (given) => {
        const result = await answer.make(() => executeFn(given));
        if (answer.finish()) {
          whenSent(answer, res);
          // Executing the operation took time, and so will serialising the answer: other requests get their turn in between.
          await giveWay();
        }
        return refused(answer) ?? result;
      });
    },
    onSubscribe({ args: { contextValue } }) {
      const { answer } = contextValue as AnswerContext;
      return {
        // fan-out.ts limits the size of each event.
        onSubscribeResult: () => ({ onEnd: answer.leave }),
      };
    },
    onDispose: () => guard[Symbol.dispose](),
  };
}
