import type { ExecutionArgs } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { createRateLimiter } from '../../auth/rate-limiter.ts';
import type { Context } from '../../context.ts';
import { callerOf } from '../../domain/core/viewer.ts';
import type { RequestContext } from '../../schema/core/request-context.ts';
import { maskError } from '../errors/errors.ts';
import { rootFieldsOf } from './size-limits.ts';

/**
 * Limits the operations of each caller, over HTTP, SSE and WebSocket together. Every root field counts,
 * since one request could otherwise run twenty operations by aliases. Turns do not count: the size of
 * bodies is limited, and an import takes few operations.
 */
export function useRateLimits(app: Context): Plugin<RequestContext> {
  const { operationsPerUser, operationsPerKey } = app.config.limits;
  const users = createRateLimiter('operations of this user', operationsPerUser);
  const keys = createRateLimiter('operations of this API key', operationsPerKey);

  const refusal = async ({ document, operationName, contextValue }: ExecutionArgs) => {
    const { viewer } = contextValue as RequestContext;
    const limiter = viewer.kind === 'key' ? keys : users;
    return limiter.spend(callerOf(viewer), rootFieldsOf(document, operationName)).then(
      () => null,
      (error) => ({ errors: [maskError(app, error) as never] }),
    );
  };
  return {
    async onExecute({ args, setResultAndStopExecution }) {
      const refused = await refusal(args);
      if (refused) setResultAndStopExecution(refused);
    },
    async onSubscribe({ args, setResultAndStopExecution }) {
      const refused = await refusal(args);
      if (refused) setResultAndStopExecution(refused);
    },
  };
}
