import { type DocumentNode, getOperationAST, Kind } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import type { Context } from '../context.ts';

/** Measures and traces queries and mutations, and counts the subscriptions that are live. */
export function useObservation({ metrics, tracing }: Context): Plugin {
  return {
    onExecute({ args, executeFn, setExecuteFn }) {
      const named = nameOf(args);
      if (!named) return;
      const { type, operation } = named;
      const attributes = { 'graphql.operation.type': type };
      setExecuteFn((given) =>
        tracing.span({ name: `${type} ${operation}`, attributes }, async (span) => {
          const started = performance.now();
          const result = await executeFn(given);
          const [error] = ('errors' in result && result.errors) || [];
          if (error) span.fail(error.originalError ?? error);
          const seconds = (performance.now() - started) / 1000;
          metrics.operation({ type, operation, outcome: error ? 'errors' : 'ok', seconds });
          return result;
        }),
      );
    },
    onSubscribe({ args }) {
      const { operation = 'several' } = nameOf(args) ?? {};
      let end = () => {};
      return {
        onSubscribeResult({ result }) {
          if (!(Symbol.asyncIterator in result)) return;
          end = metrics.subscribed(operation);
          return { onEnd: end };
        },
        onSubscribeError: () => end(),
      };
    },
  };
}

type Asked = { document: DocumentNode; operationName?: string | null };

/**
 * The root field names an operation here, since the caller's name for it may be anything. Null if the caller does not say
 * which of several operations to run.
 */
function nameOf({ document, operationName }: Asked): { type: string; operation: string } | null {
  const asked = getOperationAST(document, operationName);
  if (!asked) return null;
  const { operation: type, selectionSet } = asked;
  const [first, ...others] = selectionSet.selections;
  const isOne = first?.kind === Kind.FIELD && others.length === 0;
  return { type, operation: isOne ? first.name.value : 'several' };
}
