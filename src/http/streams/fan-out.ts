import {
  createSourceEventStream,
  type DocumentNode,
  type ExecutionArgs,
  type ExecutionResult,
  execute,
} from 'graphql';
import type { Plugin } from 'graphql-yoga';
import type { Context } from '../../context.ts';
import { CallerGone, type MemoryError } from '../../domain/core/errors.ts';
import { callerOf } from '../../domain/core/viewer.ts';
import type { RequestContext } from '../../schema/core/request-context.ts';
import { maskError } from '../errors/errors.ts';
import { createRotation } from './rotation.ts';

/** How many subscriptions of one user are served at a time. */
const AT_A_TIME = 8;
/** How long the result of an event is shared with other subscriptions of the same operation, in milliseconds. */
const SHARED_FOR = 250;

type Source = AsyncIterableIterator<object>;
/** The result of an event; `refusal`: why the answer was abandoned, null if it was not. */
type Outcome = { result: ExecutionResult; refusal: MemoryError | null };
type Shared = { outcome: Promise<Outcome>; until: number };

/**
 * Begins subscriptions and executes them for each event: only a few of one user at a time, so that a thousand of them do not
 * delay other users, and once for all subscriptions of the same operation.
 */
export function useFanOut(app: Context): Plugin<RequestContext> {
  const rotation = createRotation(AT_A_TIME);
  const keyOf = createKeys();
  const executeOrShare = createSharedExecution();
  return {
    onSubscribe({ setSubscribeFn }) {
      setSubscribeFn(async (args: ExecutionArgs) => {
        const source = await rotation.take(callerOf(viewerOf(args)), () =>
          Promise.resolve(createSourceEventStream(args)),
        );
        if (!(Symbol.asyncIterator in source)) return source;
        const key = keyOf(args);
        return mapEvents(source as Source, (event) =>
          rotation.take(ownerOf(event, args), async () => {
            const { result, refusal } = await executeOrShare(event, args, key);
            if (refusal instanceof CallerGone) return null;
            return refusal ? { errors: [maskError(app, refusal) as never] } : result;
          }),
        );
      });
    },
  };
}

/** The user to whose memory an event belongs. */
const ownerOf = (event: object, args: ExecutionArgs): string =>
  'userId' in event ? String(event.userId) : callerOf(viewerOf(args));

const viewerOf = ({ contextValue }: ExecutionArgs) => (contextValue as RequestContext).viewer;

/** What subscriptions have in common that may share a result. Documents are cached by their text, so the same text is the same object. */
function createKeys() {
  const numbers = new WeakMap<DocumentNode, number>();
  let documents = 0;
  const numberOf = (document: DocumentNode) => {
    if (!numbers.has(document)) {
      documents += 1;
      numbers.set(document, documents);
    }
    return numbers.get(document);
  };
  return (args: ExecutionArgs): string =>
    JSON.stringify([
      numberOf(args.document),
      args.operationName,
      args.variableValues,
      callerOf(viewerOf(args)),
    ]);
}

/** Executes a subscription's operation for an event, or returns the recent result of an equal one, with the same key. */
function createSharedExecution() {
  const results = new WeakMap<object, Map<string, Shared>>();
  return async (event: object, args: ExecutionArgs, key: string): Promise<Outcome> => {
    const ofEvent = results.get(event) ?? new Map<string, Shared>();
    results.set(event, ofEvent);
    const now = performance.now();
    const shared = ofEvent.get(key);
    // Results are shared for a moment only: they must not contain what the user has forgotten since.
    if (shared && shared.until > now) {
      const outcome = await shared.outcome;
      // If the first subscriber has disconnected, the others still need the result.
      if (!(outcome.refusal instanceof CallerGone)) return outcome;
    }
    const outcome = outcomeOf(event, args);
    ofEvent.set(key, { outcome, until: now + SHARED_FOR });
    return outcome;
  };
}

async function outcomeOf(event: object, args: ExecutionArgs): Promise<Outcome> {
  const { answer } = args.contextValue as RequestContext;
  const result = await execute({ ...args, rootValue: event });
  if (answer.finish()) setImmediate(answer.leave);
  return { result, refusal: answer.refusal };
}

/** Maps each event to a result; null ends it. Closing it closes the source, and it ends with its source. */
function mapEvents(
  source: Source,
  resultOf: (event: object) => Promise<ExecutionResult | null>,
): AsyncIterableIterator<ExecutionResult> {
  return {
    async next() {
      const { done, value } = await source.next();
      if (done) return { done, value: undefined };
      try {
        const result = await resultOf(value);
        if (result) return { done: false, value: result };
        await source.return?.();
        return { done: true, value: undefined };
      } catch (error) {
        await source.return?.();
        throw error;
      }
    },
    async return() {
      await source.return?.();
      return { done: true, value: undefined };
    },
    async throw(error) {
      await source.return?.();
      throw error;
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
