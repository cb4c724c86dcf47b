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
import { schema } from '../../schema/index.ts';

/** The message that a client gets for an unexpected failure. */
export const ACCIDENT = 'Something went wrong on the server. It has been logged.';

/**
 * Expected failures and errors in the request itself are shown to the client; anything else is logged and
 * masked.
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
    // If there are data beside the error, the status stays 200.
    ...(error instanceof GraphQLError ? {} : { http: { status: 500 } }),
  });
}

/** On one line: an outage causes many of them. */
const reasonOf = (cause: unknown) => (cause instanceof Error ? cause.message : String(cause));

/** The same for HTTP: the fitting status, and after how many seconds to try again. */
function againLater(error: TryAgain) {
  const headers = { 'retry-after': String(error.retryAfter) };
  return {
    retryable: true,
    retryAfter: error.retryAfter,
    http: { status: statusOf(error), headers },
  };
}

/** The error that was thrown first. */
function rootOf(error: unknown): unknown {
  return error instanceof GraphQLError && error.originalError ? rootOf(error.originalError) : error;
}

/** How many characters of a message are shown: GraphQL quotes an invalid variable in full. */
const MESSAGE = 1_000;

const shortened = (message: string): string =>
  message.length > MESSAGE ? `${message.slice(0, MESSAGE)}…` : message;

/** An error at the same place in the answer. */
function like(error: unknown, message: string, extensions: Record<string, unknown>): Error {
  const { nodes, source, positions, path } = error instanceof GraphQLError ? error : {};
  const place = { nodes, source, positions, path };
  return createGraphQLError(shortened(message), { ...place, extensions } as never);
}

/** How many errors in a request's variables are shown: each of them quotes its variable again. */
const VARIABLE_ERRORS = 5;

type Asked = { args: ExecutionArgs; setResultAndStopExecution(result: ExecutionResult): void };

/** Refuses invalid variables before the executor does, which would report fifty errors. */
function refuseVariables(app: Context, { args, setResultAndStopExecution: stop }: Asked): void {
  const { schema, document, operationName, variableValues } = args;
  const definitions = getOperationAST(document, operationName)?.variableDefinitions ?? [];
  const most = { maxErrors: VARIABLE_ERRORS };
  const { errors } = getVariableValues(schema, definitions, variableValues ?? {}, most);
  if (errors) stop({ errors: errors.map((error) => maskError(app, error) as GraphQLError) });
}

const HINT = ' Did you mean ';

/** A message without GraphQL's suggestions of similar names. */
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

/** Lists what is allowed; if the schema is secret, not even similar names. */
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

/** Errors in the request itself: shown to the client, with status 400 whatever it accepts. */
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
    onExecute: (asked) => refuseVariables(app, asked as Asked),
    onSubscribe: (asked) => refuseVariables(app, asked as Asked),
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
