import SchemaBuilder from '@pothos/core';
import ComplexityPlugin from '@pothos/plugin-complexity';
import ErrorsPlugin from '@pothos/plugin-errors';
import PrismaPlugin from '@pothos/plugin-prisma';
import RelayPlugin from '@pothos/plugin-relay';
import ScopeAuthPlugin from '@pothos/plugin-scope-auth';
import type PrismaTypes from '../../db/generated/pothos.ts';
import { getDatamodel } from '../../db/generated/pothos.ts';
import { Forbidden } from '../../domain/core/errors.ts';
import { REFUSALS, type Scopes, scopeIn, scopesOf } from './access.ts';
import { ACCESS_ERRORS } from './access-plugin.ts';
import { ANSWER_SIZE } from './answer-plugin.ts';
import { decodeGlobalId } from './global-id.ts';
import { DEFAULT_PAGE, MAX_PAGE, pageSize } from './page.ts';
import type { RequestContext } from './request-context.ts';

/** The factor by which a list multiplies the cost of an operation. */
const LIST = 10;

export const builder = new SchemaBuilder<{
  Context: RequestContext;
  DefaultFieldNullability: false;
  DefaultInputFieldRequiredness: false;
  PrismaTypes: PrismaTypes;
  AuthScopes: Scopes;
  Scalars: {
    ID: { Input: string; Output: string | number | bigint };
    DateTime: { Input: Date; Output: Date };
  };
}>({
  plugins: [
    ANSWER_SIZE,
    ErrorsPlugin,
    ScopeAuthPlugin,
    PrismaPlugin,
    RelayPlugin,
    ComplexityPlugin,
    ACCESS_ERRORS,
  ],
  defaultFieldNullability: false,
  relay: {
    decodeGlobalID: decodeGlobalId,
    cursorType: 'String',
    idFieldOptions: {
      description:
        'Global id, unique across all types: `node` and `nodes` return any object by it. The `id` of each type says which ' +
        'arguments also take it.',
    },
    nodeQueryOptions: {
      args: { id: { description: 'The `id` of the object. A malformed one is an error.' } },
      description:
        'The object with this global id, of whatever type; null if there is none, or if it belongs to a user whom the caller may not read.',
    },
    nodesQueryOptions: {
      args: { ids: { description: 'The `id`s of the objects. A malformed one is an error.' } },
      description:
        'Several objects by their global ids, in the same order, with null in place of each one that `node` would not return.',
    },
    hasNextPageFieldOptions: { description: 'Whether more entries follow this page.' },
    hasPreviousPageFieldOptions: { description: 'Whether more entries precede this page.' },
    startCursorFieldOptions: {
      description: 'The cursor of the first entry of this page; null if the page is empty.',
    },
    endCursorFieldOptions: {
      description: 'The cursor of the last entry of this page; null if the page is empty.',
    },
    nodeTypeOptions: {
      description: 'An object with a global id, by which it can be fetched again.',
    },
    pageInfoTypeOptions: {
      description:
        'Where a page lies within its list: its first and last cursor, and whether more entries precede or follow it.',
    },
    defaultConnectionTypeOptions: { description: 'One page of a list.' },
    defaultEdgeTypeOptions: { description: 'One entry of a list.' },
  },
  errors: {
    defaultTypes: [],
    directResult: true,
    defaultUnionOptions: {
      description: 'The result, or an expected error.',
      name: ({ fieldName }) => `${fieldName.charAt(0).toUpperCase()}${fieldName.slice(1)}Result`,
    },
  },
  scopeAuth: {
    authScopes: ({ viewer }) => scopesOf(viewer),
    unauthorizedError: (_parent, _context, _info, { failure }) =>
      new Forbidden(REFUSALS[scopeIn(failure) ?? 'admin']),
  },
  complexity: {
    defaultListMultiplier: LIST,
    // The plugin counts the edges of a page as a list: scale that to the requested page size.
    fieldComplexity: (page, { viewer }, { name, args }) =>
      args.some((arg) => arg.name === 'last')
        ? { field: 1, multiplier: pageSize(name, page, viewer) / LIST }
        : 1,
    limit: ({ app }) => ({
      complexity: app.config.server.maxComplexity,
      depth: app.config.server.maxDepth,
    }),
  },
  prisma: {
    client: (ctx) => ctx.prisma,
    dmmf: getDatamodel(),
    exposeDescriptions: false,
    maxConnectionSize: MAX_PAGE,
    defaultConnectionSize: DEFAULT_PAGE,
    onUnusedQuery: 'error',
  },
});

builder.queryType({
  description:
    'Everything that can be read: the memory of a user, and what concerns the whole deployment, which is this installation ' +
    'with all its users. Most settings of the deployment, such as EXPLICIT_IDLE_MINUTES, are environment variables.',
});
builder.mutationType({
  description:
    'The operations that change something. A caller whose API key has access READ gets a `ForbiddenError`.',
  authScopes: { write: true },
});
builder.subscriptionType({ description: 'Live streams of what happens to a memory.' });
