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

/** Names that hold a user's name, or say when something was asked. */
const PASSING = new Set(['id', 'userId', 'cursor', 'startCursor', 'endCursor']);

const fieldsOf = (type: GraphQLNamedType) =>
  type instanceof GraphQLObjectType ? Object.values(type.getFields()) : [];

const isPlain = ({ args }: GraphQLField<unknown, unknown>) =>
  args.every(({ type, defaultValue }) => !isNonNullType(type) || defaultValue !== undefined);

/** All that can be asked of a type, so many objects deep; those that lead back up are left out. */
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

/** The names of a type's fields. */
export const fieldNames = (type: string): string[] =>
  fieldsOf(schema.getType(type) as GraphQLNamedType).map(({ name }) => name);

/** All that a field of the user who asks tells. */
export async function askAll(client: Client, name: string): Promise<unknown> {
  const user = schema.getType('User') as GraphQLObjectType;
  const field = user.getFields()[name] as GraphQLField<unknown, unknown>;
  const inner = getNamedType(field.type);
  const below = isLeafType(inner) ? '' : selection(inner, 4, ['User', inner.name]);
  const first = field.args.some((arg) => arg.name === 'first') ? '(first: 50)' : '';
  const { body } = await client.post({ query: `{ viewer { ${name}${first} ${below} } }` });
  if (body.errors) throw new Error(JSON.stringify(body.errors));
  return body.data;
}

/** A value without what names the user. */
export function anonymous(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(anonymous);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => !PASSING.has(key))
      .map(([key, inner]) => [key, anonymous(inner)]),
  );
}

/** A pattern of the same value, its fractions to 1e-6. */
export function alike(value: unknown): unknown {
  if (typeof value === 'number' && !Number.isInteger(value)) return expect.closeTo(value, 6);
  if (Array.isArray(value)) return value.map(alike);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, alike(inner)]));
}
