import SchemaBuilder from '@pothos/core';
import ComplexityPlugin from '@pothos/plugin-complexity';
import ErrorsPlugin from '@pothos/plugin-errors';
import PrismaPlugin from '@pothos/plugin-prisma';
import RelayPlugin from '@pothos/plugin-relay';
import ScopeAuthPlugin from '@pothos/plugin-scope-auth';
import type PrismaTypes from '../db/generated/pothos.ts';
import { getDatamodel } from '../db/generated/pothos.ts';
import { Forbidden } from '../domain/errors.ts';
import { ANSWER_SIZE } from './answer-plugin.ts';
import { decodeGlobalId } from './global-id.ts';
import { DEFAULT_PAGE, MAX_PAGE, pageSize } from './page.ts';
import type { RequestContext } from './request-context.ts';

/** What a list counts in the cost of an operation. */
const LIST = 10;

export const builder = new SchemaBuilder<{
  Context: RequestContext;
  DefaultFieldNullability: false;
  DefaultInputFieldRequiredness: false;
  PrismaTypes: PrismaTypes;
  AuthScopes: { admin: boolean };
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
  ],
  defaultFieldNullability: false,
  relay: {
    decodeGlobalID: decodeGlobalId,
    cursorType: 'String',
    idFieldOptions: { description: 'Names it in the whole graph: for `node`.' },
    nodeQueryOptions: {
      description: 'Anything that has an id; null when it is gone or not yours.',
    },
    nodesQueryOptions: { description: 'The same for several ids, in their order.' },
    edgesFieldOptions: { description: 'The entries.' },
    pageInfoFieldOptions: { description: 'Where the page stands.' },
    cursorFieldOptions: { description: 'Give this as `after` or `before` for another page.' },
    nodeFieldOptions: { description: 'What is listed.' },
    firstArgOptions: { description: 'How many from the start or after a cursor, 0-100.' },
    lastArgOptions: { description: 'How many from the end or before a cursor, 0-100.' },
    afterArgOptions: { description: 'Only what follows this cursor of an edge.' },
    beforeArgOptions: { description: 'Only what precedes this cursor of an edge.' },
    hasNextPageFieldOptions: { description: 'Whether more follows.' },
    hasPreviousPageFieldOptions: { description: 'Whether more precedes.' },
    startCursorFieldOptions: { description: 'The cursor of the first entry.' },
    endCursorFieldOptions: { description: 'The cursor of the last entry.' },
    nodeTypeOptions: { description: 'What can be fetched again by its id.' },
    pageInfoTypeOptions: { description: 'Where a page stands among all.' },
    defaultConnectionTypeOptions: { description: 'A page of a list.' },
    defaultEdgeTypeOptions: { description: 'An entry of a page.' },
  },
  errors: {
    defaultTypes: [],
    directResult: true,
    defaultUnionOptions: {
      description: 'What comes of it: the result, or why there is none.',
      name: ({ fieldName }) => `${fieldName.charAt(0).toUpperCase()}${fieldName.slice(1)}Result`,
    },
  },
  scopeAuth: {
    authScopes: ({ viewer }) => ({ admin: viewer.kind !== 'user' }),
    unauthorizedError: () =>
      new Forbidden('Only an API key, or the local user of an open server, may do this.'),
  },
  complexity: {
    defaultListMultiplier: LIST,
    // A page's edges count as a list: scale that to the page that is asked for.
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
    client: (ctx) => ctx.prisma as never,
    dmmf: getDatamodel(),
    exposeDescriptions: false,
    maxConnectionSize: MAX_PAGE,
    defaultConnectionSize: DEFAULT_PAGE,
    onUnusedQuery: 'error',
  },
});

builder.queryType({ description: 'What can be asked of a memory.' });
builder.mutationType({ description: 'What can be told to a memory.' });
builder.subscriptionType({ description: 'What happens to a memory, as it happens.' });
