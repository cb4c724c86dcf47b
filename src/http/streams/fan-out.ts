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
import { createTurns } from './turns.ts';

/** Subscriptions of one user that are told of something at a time. */
const AT_A_TIME = 8;
/** How long what one subscription was told is told to others that ask for the same, in milliseconds. */
const SHARED_FOR = 250;

type Source = AsyncIterableIterator<object>;
/** What came of an event, and why it was given up; null where it was not. */
type Outcome = { result: ExecutionResult; refusal: MemoryError | null };
type Told = { outcome: Promise<Outcome>; until: number };

/**
 * Tells subscriptions what happens: a user's few at a time, so that a thousand of them hold up
 * nobody else, and what several of them ask for in the same words is read once.
 */
export function useFanOut(app: Context): Plugin<RequestContext> {
  const turns = createTurns(AT_A_TIME);
  const tell = createTeller();
  return {
    onSubscribe({ setSubscribeFn }) {
      setSubscribeFn(async (args: ExecutionArgs) => {
        const source = await createSourceEventStream(args);
        if (!(Symbol.asyncIterator in source)) return source;
        return each(source as Source, (event) =>
          turns.take(ownerOf(event, args), async () => {
            const { result, refusal } = await tell(event, args);
            return refusal ? { errors: [maskError(app, refusal) as never] } : result;
          }),
        );
      });
    },
  };
}

/** Whose memory an event is of. */
const ownerOf = (event: object, args: ExecutionArgs): string =>
  'userId' in event ? String(event.userId) : callerOf(viewerOf(args));

const viewerOf = ({ contextValue }: ExecutionArgs) => (contextValue as RequestContext).viewer;

/** Executes a subscription's operation for an event, or gives what was just found for another one that is the same. */
function createTeller() {
  const told = new WeakMap<object, Map<string, Told>>();
  const numbers = new WeakMap<DocumentNode, number>();
  let documents = 0;
  // The text of an operation is parsed once, whoever sends it.
  const numberOf = (document: DocumentNode) => {
    if (!numbers.has(document)) {
      documents += 1;
      numbers.set(document, documents);
    }
    return numbers.get(document);
  };

  return async (event: object, args: ExecutionArgs): Promise<Outcome> => {
    const { document, operationName, variableValues } = args;
    const caller = callerOf(viewerOf(args));
    const key = JSON.stringify([numberOf(document), operationName, variableValues, caller]);
    const ofEvent = told.get(event) ?? new Map<string, Told>();
    told.set(event, ofEvent);
    const now = performance.now();
    const shared = ofEvent.get(key);
    // For a moment only: what is forgotten meanwhile must not be told.
    if (shared && shared.until > now) {
      const outcome = await shared.outcome;
      // Who asked first has gone: the others still want it.
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

/** What becomes of each event. Ends with its source, and its source with it. */
function each(
  source: Source,
  tell: (event: object) => Promise<ExecutionResult>,
): AsyncIterableIterator<ExecutionResult> {
  return {
    async next() {
      const { done, value } = await source.next();
      if (done) return { done, value: undefined };
      try {
        return { done: false, value: await tell(value) };
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
