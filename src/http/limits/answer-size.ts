import type { ServerResponse } from 'node:http';
import type { ExecutionResult } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import type { Context } from '../../context.ts';
import type { Answer } from '../../schema/core/answer.ts';
import type { RequestContext } from '../../schema/core/request-context.ts';
import { maskError } from '../errors/errors.ts';
import { createSlowConsumerGuard } from '../streams/slow-consumer-guard.ts';

type Asked = RequestContext & { res?: ServerResponse };

/** An answer that becomes too large is refused as a whole; one that was made counts until it is sent. */
export function useAnswerSize(app: Context): Plugin<Asked> {
  // A large answer that its client does not read would keep other answers waiting.
  const guard = createSlowConsumerGuard(Number.POSITIVE_INFINITY);

  const refused = ({ refusal }: Answer): ExecutionResult | null =>
    refusal && { errors: [maskError(app, refusal) as never] };

  const whenSent = (answer: Answer, res: ServerResponse | undefined) => {
    // Over WebSocket the answer is handed over next; the guard of the socket watches it there.
    if (!res || res.closed) return setTimeout(answer.leave);
    const unguard = guard.watch({
      pendingBytes: () => res.writableLength,
      drop: () => res.destroy(),
    });
    return res.once('close', () => {
      unguard();
      answer.leave();
    });
  };

  return {
    onExecute({ args: { contextValue }, executeFn, setExecuteFn }) {
      const { answer, res } = contextValue as Asked;
      setExecuteFn(async (given) => {
        const result = await answer.make(() => executeFn(given));
        if (answer.finish()) {
          whenSent(answer, res);
          // Counting the answer took a while, and serialising it will, too: other requests get their turn in between.
          await new Promise(setImmediate);
        }
        return refused(answer) ?? result;
      });
    },
    onSubscribe({ args: { contextValue } }) {
      const { answer } = contextValue as Asked;
      return {
        // The size of each event is limited where it is sent, see fan-out.ts.
        onSubscribeResult: () => ({ onEnd: answer.leave }),
      };
    },
    onDispose: () => guard[Symbol.dispose](),
  };
}
