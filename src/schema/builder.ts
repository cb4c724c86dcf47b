import SchemaBuilder from '@pothos/core';
import ComplexityPlugin from '@pothos/plugin-complexity';
import ErrorsPlugin from '@pothos/plugin-errors';
import PrismaPlugin from '@pothos/plugin-prisma';
import RelayPlugin from '@pothos/plugin-relay';
import ScopeAuthPlugin from '@pothos/plugin-scope-auth';
import type PrismaTypes from '../db/generated/pothos.ts';
import { getDatamodel } from '../db/generated/pothos.ts';
import { Forbidden } from '../domain/errors.ts';
import type { RequestContext } from './request-context.ts';

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
  plugins: [ErrorsPlugin, ScopeAuthPlugin, PrismaPlugin, RelayPlugin, ComplexityPlugin],
  defaultFieldNullability: false,
  relay: { nodeTypeOptions: {}, cursorType: 'String' },
  errors: {
    defaultTypes: [],
    directResult: true,
    defaultUnionOptions: {
      name: ({ fieldName }) => `${fieldName.charAt(0).toUpperCase()}${fieldName.slice(1)}Result`,
    },
  },
  scopeAuth: {
    authScopes: ({ viewer }) => ({ admin: viewer.kind !== 'user' }),
    unauthorizedError: () =>
      new Forbidden('Only an API key, or the local user of an open server, may do this.'),
  },
  complexity: {
    defaultListMultiplier: 10,
    limit: ({ app }) => ({
      complexity: app.config.server.maxComplexity,
      depth: app.config.server.maxDepth,
    }),
  },
  prisma: {
    client: (ctx) => ctx.prisma as never,
    dmmf: getDatamodel(),
    exposeDescriptions: false,
    maxConnectionSize: 100,
    defaultConnectionSize: 20,
    onUnusedQuery: 'error',
  },
});

builder.queryType({ description: 'What can be asked of a memory.' });
builder.mutationType({ description: 'What can be told to a memory.' });
builder.subscriptionType({ description: 'What happens to a memory, as it happens.' });
