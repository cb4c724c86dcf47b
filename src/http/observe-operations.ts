import { type DocumentNode, getOperationAST, Kind } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import type { Context } from '../context.ts';
import type { StreamContext } from './streams/event-streams.ts';

/** Measures and traces queries and mutations, and counts live subscriptions. */
export function useObservation({ metrics, tracing }: Context): Plugin<StreamContext> {
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
          args.contextValue.stream?.onClose(end);
          return { onEnd: end };
        },
        onSubscribeError: () => end(),
      };
    },
  };
}

type Operation = { document: DocumentNode; operationName?: string | null };

/**
 * The type and name of an operation for metrics and traces. Its name is that of its only root field, since callers may name
 * operations as they like; "several" if there are more. Null if the caller does not say which of several operations to run.
 */
function nameOf({
  document,
  operationName,
}: Operation): { type: string; operation: string } | null {
  const chosen = getOperationAST(document, operationName);
  if (!chosen) return null;
  const { operation: type, selectionSet } = chosen;
  const [first, ...others] = selectionSet.selections;
  const isOne = first?.kind === Kind.FIELD && others.length === 0;
  return { type, operation: isOne ? first.name.value : 'several' };
}
