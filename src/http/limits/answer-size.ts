import type { ServerResponse } from 'node:http';
import type { ExecutionResult } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import type { Context } from '../../context.ts';
import type { Answer } from '../../schema/core/answer.ts';
import type { RequestContext } from '../../schema/core/request-context.ts';
import { maskError } from '../errors/errors.ts';
import { createSlowConsumerGuard } from '../streams/slow-consumer-guard.ts';

type Asked = RequestContext & { res?: ServerResponse };

/** An answer that was given up is refused as a whole; one that was made keeps its place until it is sent. */
export function useAnswerSize(app: Context): Plugin<Asked> {
  // A large answer that its client does not read would keep other answers waiting.
  const guard = createSlowConsumerGuard(Number.POSITIVE_INFINITY);

  const refused = ({ refusal }: Answer): ExecutionResult | null =>
    refusal && { errors: [maskError(app, refusal) as never] };

  const whenSent = (answer: Answer, res: ServerResponse | undefined) => {
    // Over WebSocket it is handed over next, and what waits there is watched.
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
          // Counting it took a while, and writing it down will, too: others come in between.
          await new Promise(setImmediate);
        }
        return refused(answer) ?? result;
      });
    },
    onSubscribe({ args: { contextValue } }) {
      const { answer } = contextValue as Asked;
      return {
        // What each event costs is seen to where it is told, see fan-out.ts.
        onSubscribeResult: () => ({ onEnd: answer.leave }),
      };
    },
    onDispose: () => guard[Symbol.dispose](),
  };
}
