import {
  type GraphQLField,
  type GraphQLNamedType,
  GraphQLObjectType,
  getNamedType,
  isLeafType,
  isNonNullType,
  isObjectType,
} from 'graphql';
import { expect } from 'vitest';
import { schema } from '../../src/schema/index.ts';
import type { Client } from './world.ts';

/** Fields that contain a user's name. */
const PASSING = new Set(['id', 'userId', 'cursor', 'startCursor', 'endCursor']);

const fieldsOf = (type: GraphQLNamedType) =>
  type instanceof GraphQLObjectType ? Object.values(type.getFields()) : [];

const isPlain = ({ args }: GraphQLField<unknown, unknown>) =>
  args.every(({ type, defaultValue }) => !isNonNullType(type) || defaultValue !== undefined);

/** Selects all fields of a type, `depth` objects deep. Omits fields that lead back to a type above. */
function selection(type: GraphQLNamedType, depth: number, above: readonly string[]): string {
  const parts = fieldsOf(type).flatMap((field) => {
    const inner = getNamedType(field.type);
    if (PASSING.has(field.name) || !isPlain(field)) return [];
    if (isLeafType(inner)) return inner.name === 'ID' ? [] : [field.name];
    if (depth === 0 || !isObjectType(inner) || above.includes(inner.name)) return [];
    const below = selection(inner, depth - 1, [...above, inner.name]);
    return below ? [`${field.name} ${below}`] : [];
  });
  return parts.length > 0 ? `{ ${parts.join(' ')} }` : '';
}

/** Selects all fields of a type, `depth` objects deep. */
export const selectAll = (type: string, depth: number): string =>
  selection(schema.getType(type) as GraphQLNamedType, depth, ['User', type]);

/** Returns the names of a type's fields. */
export const fieldNames = (type: string): string[] =>
  fieldsOf(schema.getType(type) as GraphQLNamedType).map(({ name }) => name);

/** Queries a field of the viewer with all its subfields: the first 50 of a list, and what happened since 2025. */
export async function askAll(client: Client, name: string): Promise<unknown> {
  const user = schema.getType('User') as GraphQLObjectType;
  const field = user.getFields()[name] as GraphQLField<unknown, unknown>;
  const inner = getNamedType(field.type);
  const below = isLeafType(inner) ? '' : selection(inner, 4, ['User', inner.name]);
  const has = (argument: string) => field.args.some((arg) => arg.name === argument);
  const since = name === 'activity' ? '(from: "2025-01-01T00:00:00Z")' : '';
  const args = has('first') ? '(first: 50)' : since;
  const { body } = await client.post({ query: `{ viewer { ${name}${args} ${below} } }` });
  if (body.errors) throw new Error(`${name}: ${JSON.stringify(body.errors)}`);
  return body.data;
}

/** Removes the fields that contain the user's name from a value. */
export function anonymous(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(anonymous);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => !PASSING.has(key))
      .map(([key, inner]) => [key, anonymous(inner)]),
  );
}

/** Returns a matcher for a value that compares fractions to 1e-6. */
export function alike(value: unknown): unknown {
  if (typeof value === 'number' && !Number.isInteger(value)) return expect.closeTo(value, 6);
  if (Array.isArray(value)) return value.map(alike);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, alike(inner)]));
}
