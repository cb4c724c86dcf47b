import {
  type GraphQLNamedType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isIntrospectionType,
  isObjectType,
  isSpecifiedScalarType,
} from 'graphql';
import { expect, it } from 'vitest';
import { schema } from '../../src/schema/index.ts';

type Described = { place: string; description: string | null | undefined };

const types = Object.values(schema.getTypeMap()).filter(
  (type) => !isIntrospectionType(type) && !isSpecifiedScalarType(type),
);

/** Everything in the schema that has a description, by its place in it. */
const described: Described[] = types.flatMap((type) => [
  { place: type.name, description: type.description },
  ...membersOf(type).map(({ place, description }) => ({
    place: `${type.name}.${place}`,
    description,
  })),
]);

/** The fields of a type with their arguments, or the values of an enum. */
function membersOf(type: GraphQLNamedType): Described[] {
  if (isEnumType(type) || isInputObjectType(type)) {
    const members = isEnumType(type) ? type.getValues() : Object.values(type.getFields());
    return members.map(({ name, description }) => ({ place: name, description }));
  }
  if (!isObjectType(type) && !isInterfaceType(type)) return [];
  return Object.values(type.getFields()).flatMap(({ name, description, args }) => [
    { place: name, description },
    ...args.map((arg) => ({ place: `${name}(${arg.name})`, description: arg.description })),
  ]);
}

it('no two places of the schema have the same description', () => {
  const places = new Map<string, string[]>();
  for (const { place, description } of described) {
    const text = description ?? '';
    places.set(text, [...(places.get(text) ?? []), place]);
  }
  expect([...places].filter(([, all]) => all.length > 1)).toEqual([]);
});

it('a description begins with a capital letter and ends with a full stop', () => {
  const wrong = described.filter(
    ({ description }) => !/^["A-Z0-9].*[.…]$/s.test(description ?? ''),
  );
  expect(wrong).toEqual([]);
});

it('places of every sort are looked at', () => {
  const places = described.map(({ place }) => place);
  expect(places).toEqual(
    expect.arrayContaining([
      'DateTime',
      'Node.id',
      'Turn.text',
      'Thread.turns(first)',
      'ThreadTurnsConnectionEdge.node',
      'RecallInput.query',
      'Role.USER',
      'RecallResult',
    ]),
  );
});
