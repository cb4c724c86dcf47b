import {
  type GraphQLInterfaceType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  isUnionType,
} from 'graphql';
import { expect, it } from 'vitest';
import { schema } from '../../src/schema/index.ts';

const types = Object.values(schema.getTypeMap()).filter(({ name }) => !name.startsWith('__'));
const ownTypes = types.filter(({ name }) => !/^(String|Int|Float|Boolean|ID)$/.test(name));

/** Returns the descriptions that occur more than once, each with the names it describes. */
function repeated(described: readonly { name: string; description: string | null | undefined }[]) {
  const names = new Map<string, Set<string>>();
  for (const { name, description } of described) {
    if (description) names.set(description, (names.get(description) ?? new Set()).add(name));
  }
  return [...names].filter(([, all]) => all.size > 1).map(([text, all]) => [text, ...all]);
}

it('no two types have the same description', () => {
  expect(
    repeated(
      ownTypes.filter((type) => isObjectType(type) || isUnionType(type) || isEnumType(type)),
    ),
  ).toEqual([]);
});

it('two fields of different names never have the same description', () => {
  const fields = ownTypes.flatMap((type) =>
    isObjectType(type) || isInterfaceType(type) || isInputObjectType(type)
      ? Object.values(type.getFields())
      : [],
  );
  expect(repeated(fields)).toEqual([]);
});

it('fields of different objects have the same description only if an interface or a page requires both', () => {
  const uses = new Map<string, string[]>();
  for (const type of ownTypes) {
    if (!(isObjectType(type) && !/(Connection|Edge)$/.test(type.name))) continue;
    const interfaces: readonly GraphQLInterfaceType[] = type.getInterfaces();
    for (const field of Object.values(type.getFields())) {
      if (interfaces.some((each) => field.name in each.getFields())) continue;
      const use = `${field.name}: ${field.description}`;
      uses.set(use, [...(uses.get(use) ?? []), type.name]);
    }
  }
  expect([...uses].filter(([, names]) => names.length > 1)).toEqual([]);
});

it('every description begins with a capital letter and ends with a full stop', () => {
  const texts = ownTypes.flatMap((type) => [
    { name: type.name, description: type.description },
    ...(isObjectType(type) || isInputObjectType(type) || isInterfaceType(type)
      ? Object.values(type.getFields()).map((field) => ({
          name: `${type.name}.${field.name}`,
          description: field.description,
        }))
      : []),
  ]);
  expect(texts.filter(({ description }) => !/^["A-Z0-9].*[.…]$/s.test(description ?? ''))).toEqual(
    [],
  );
});
