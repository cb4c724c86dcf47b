import { useDisableIntrospection } from '@graphql-yoga/plugin-disable-introspection';
import {
  type ExecutionArgs,
  type ExecutionResult,
  GraphQLError,
  getOperationAST,
  getVariableValues,
  isEnumType,
} from 'graphql';
import { createGraphQLError, type Plugin } from 'graphql-yoga';
import { Unauthenticated } from '../../auth/unauthenticated.ts';
import type { Context } from '../../context.ts';
import {
  DatabaseUnavailable,
  InvalidInput,
  MemoryError,
  RateLimited,
  TryAgain,
} from '../../domain/core/errors.ts';
import { giveWay } from '../../domain/core/give-way.ts';
import { cut } from '../../language/text/cut.ts';
import { schema } from '../../schema/index.ts';

/** The message that a client gets for an unexpected failure. */
export const ACCIDENT = 'Something went wrong on the server. It has been logged.';

/**
 * The error for the client. Expected failures and errors in the request itself are shown; anything else is logged
 * and masked.
 */
export function maskError(app: Context, error: unknown): Error {
  const original = rootOf(error);
  if (original instanceof DatabaseUnavailable) {
    app.logger.warn({ reason: reasonOf(original.cause) }, 'request.database_unavailable');
  }
  if (original instanceof MemoryError) {
    return like(error, original.message, {
      code: original.code,
      ...(original instanceof InvalidInput ? { issues: original.issues } : {}),
      ...(original instanceof Unauthenticated ? { http: { status: 401 } } : {}),
      ...(original instanceof TryAgain ? againLater(original) : {}),
    });
  }
  if (error instanceof GraphQLError && original instanceof GraphQLError) {
    const message = explain(error.message, app.config.server.introspection);
    return like(error, message, { code: 'BAD_REQUEST', ...error.extensions });
  }
  app.logger.error({ err: original }, 'request.failed');
  return like(error, ACCIDENT, {
    code: 'INTERNAL_SERVER_ERROR',
    // The status stays 200 if there is data beside the error.
    ...(error instanceof GraphQLError ? {} : { http: { status: 500 } }),
  });
}

/** Only the message, since an outage logs many of them. */
const reasonOf = (cause: unknown) => (cause instanceof Error ? cause.message : String(cause));

/** The extensions of a temporary failure: when to retry, in seconds, and the HTTP status and header that say so. */
function againLater(error: TryAgain) {
  const headers = { 'retry-after': String(error.retryAfter) };
  return {
    retryable: true,
    retryAfter: error.retryAfter,
    http: { status: statusOf(error), headers },
  };
}

/** The original error inside the errors of GraphQL. */
function rootOf(error: unknown): unknown {
  return error instanceof GraphQLError && error.originalError ? rootOf(error.originalError) : error;
}

/** The maximum length of a message: GraphQL quotes an invalid variable in full. */
const MESSAGE = 1_000;

const shortened = (message: string): string =>
  message.length > MESSAGE ? `${cut(message, MESSAGE)}…` : message;

/** A new error with the place (path, nodes, positions) of another one. */
function like(error: unknown, message: string, extensions: Record<string, unknown>): Error {
  const { nodes, source, positions, path } = error instanceof GraphQLError ? error : {};
  const place = { nodes, source, positions, path };
  return createGraphQLError(shortened(message), { ...place, extensions } as never);
}

/** How many errors in the variables of a request are reported. Each quotes its variable, so of large variables only the first is. */
const VARIABLE_ERRORS = 5;

type Start = { args: ExecutionArgs; setResultAndStopExecution(result: ExecutionResult): void };

/** Operations whose variables take longer to check, in milliseconds, are executed one in each round of the event loop. */
const LONG_CHECK = 2;

/** Refuses invalid variables before the executor does: it would report fifty errors. */
function refuseVariables(
  app: Context,
  { args, setResultAndStopExecution: stop }: Start,
): Promise<void> | undefined {
  const began = performance.now();
  const { schema, document, operationName, variableValues } = args;
  const definitions = getOperationAST(document, operationName)?.variableDefinitions ?? [];
  const errorsUpTo = (maxErrors: number) =>
    getVariableValues(schema, definitions, variableValues ?? {}, { maxErrors }).errors ?? [];
  const first = errorsUpTo(1);
  const isLong = performance.now() - began > LONG_CHECK;
  const errors = first.length > 0 && !isLong ? errorsUpTo(VARIABLE_ERRORS) : first.slice(0, 1);
  if (errors.length > 0) {
    stop({ errors: errors.map((error) => maskError(app, error) as GraphQLError) });
  }
  return isLong ? giveWay() : undefined;
}

const HINT = ' Did you mean ';

/** Removes GraphQL's suggestions of similar names from a message. */
function withoutHints(message: string): string {
  let kept = '';
  let at = 0;
  for (;;) {
    const start = message.indexOf(HINT, at);
    const end = start < 0 ? -1 : message.indexOf('?', start);
    if (end < 0) return kept + message.slice(at);
    kept += message.slice(at, start);
    at = end + 1;
  }
}

/** Adds the allowed values to a message about an enum. Without introspection it removes suggestions instead: the schema is secret. */
function explain(message: string, introspection: boolean): string {
  if (!introspection) return withoutHints(message);
  const type = schema.getType(/ does not exist in "(\w+)" enum\./.exec(message)?.[1] ?? '');
  if (!isEnumType(type) || message.includes('Allowed: ')) return message;
  return `${message} Allowed: ${type
    .getValues()
    .map(({ name }) => name)
    .join(', ')}.`;
}

/** The HTTP status of a temporary failure. */
export const statusOf = (error: TryAgain): number => (error instanceof RateLimited ? 429 : 503);

/** Answers errors in the request itself with a message and status 400, whatever media type the client accepts. */
export function useRequestErrors(app: Context): Plugin {
  const { introspection } = app.config.server;
  return {
    onPluginInit({ addPlugin }) {
      if (!introspection) addPlugin(useDisableIntrospection() as never);
    },
    onRequestParse({ requestParser, setRequestParser }) {
      if (!requestParser) return;
      setRequestParser(async (request) => {
        try {
          return await requestParser(request);
        } catch (error) {
          if (!(error instanceof SyntaxError)) throw error;
          throw createGraphQLError(`"variables" or "extensions" is not JSON: ${error.message}.`, {
            extensions: { code: 'BAD_REQUEST', http: { status: 400 } },
          });
        }
      });
    },
    onExecute: (start) => refuseVariables(app, start as Start),
    onSubscribe: (start) => refuseVariables(app, start as Start),
    onValidate() {
      return ({ result, setResult }) => {
        const errors = result as readonly GraphQLError[];
        setResult(
          errors.map((error) =>
            like(error, explain(error.message, introspection), error.extensions),
          ),
        );
      };
    },
    onResultProcess({ result }) {
      if (!('errors' in result) || 'data' in result) return;
      for (const { extensions } of (result.errors ?? []) as GraphQLError[]) {
        const http = (extensions.http ?? {}) as { status?: number };
        Object.assign(extensions, { http: { ...http, spec: false, status: http.status ?? 400 } });
      }
    },
  };
}
