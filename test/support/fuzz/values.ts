import fc from 'fast-check';
import {
  type GraphQLArgument,
  type GraphQLInputField,
  type GraphQLInputType,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
} from 'graphql';
import { ODD_NAMES } from '../../../tools/faults/hostile/texts/odd-names.ts';
import { hostileText, TEXT_KINDS } from '../../../tools/faults/hostile/texts/texts.ts';
import { seededRandom } from '../../../tools/support/random.ts';

/** The material for strings and ids. */
export type Pool = {
  /** Words that the caller may say. */
  words: readonly string[];
  /** Ids of nodes of the caller and of other users. */
  ids: readonly string[];
  /** Names of users. */
  users: readonly string[];
};

/** Marks an argument that is left out of the variables. */
const LEFT_OUT = Symbol('left out');

const ODD_TEXTS = [
  '',
  ' ',
  '\u0000',
  '\ud800',
  '﷽',
  '👩‍👩‍👧‍👦',
  "'; DROP TABLE users; --",
  '%_\\',
  '{{7*7}}',
  '</memory>',
  '[1,2,3]',
  'x'.repeat(5_000),
  '\u202egnirts',
];
const TIMES = [
  '2026-03-02T09:00:00Z',
  '2026-03-02',
  '1969-12-31T23:59:59.999Z',
  '9999-12-31T23:59:59Z',
  '2026-02-30T00:00:00Z',
  '2026-03-02T09:00:00+14:00',
  'yesterday',
  '',
];
const NUMBERS = [0, 1, 2, 3, 5, 10, 100, -1, 501, 2_147_483_647, -2_147_483_648];
const QUESTIONS = ['what did we do last week', 'my name', 'since 3 May', 'remember the'];

/** Generates texts that are meant to be slow to read: repeated words of the rules, and words of many scripts. */
const hostileTexts: fc.Arbitrary<string> = fc
  .record({
    seed: fc.nat(),
    // Half of them consist of the rules' own words.
    kind: fc.oneof(
      fc.constant('rule-words'),
      fc.constantFrom('found-by-checker', 'beginnings', 'corrections'),
      fc.constantFrom(...TEXT_KINDS),
    ),
    length: fc.constantFrom(40, 200, 280, 2_000, 20_000),
  })
  .map(({ seed, kind, length }) => hostileText(seededRandom(seed), kind, length));

const texts = ({ words, users }: Pool): fc.Arbitrary<string> =>
  fc.oneof(
    {
      weight: 6,
      arbitrary: fc
        .array(fc.constantFrom(...words, ...QUESTIONS), { minLength: 1, maxLength: 6 })
        .map((all) => all.join(' ')),
    },
    {
      weight: 2,
      arbitrary: fc.constantFrom(
        ...users,
        'sms',
        'app',
        'UTC',
        'Europe/Lisbon',
        'USER_NAME',
        ...words,
      ),
    },
    { weight: 1, arbitrary: fc.constantFrom(...ODD_TEXTS, ...ODD_NAMES) },
    { weight: 2, arbitrary: hostileTexts },
    { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) },
  );

/** Generates values of a scalar by its name; a few have a wrong type. */
function scalars(name: string, pool: Pool): fc.Arbitrary<unknown> {
  const wrong = fc.oneof(
    fc.boolean(),
    fc.integer(),
    fc.constant({}),
    fc.constant([[]]),
    texts(pool),
  );
  const right: Record<string, fc.Arbitrary<unknown>> = {
    Boolean: fc.boolean(),
    DateTime: fc.constantFrom(...TIMES),
    Float: fc.oneof(fc.constantFrom(0, 0.5, 1, -1, 1e308), fc.double({ noNaN: true })),
    Int: fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...NUMBERS) }, fc.integer()),
    ID: fc.oneof(
      { weight: 8, arbitrary: fc.constantFrom(...pool.ids) },
      { weight: 1, arbitrary: texts(pool) },
    ),
    String: texts(pool),
  };
  const values = right[name];
  if (!values) throw new Error(`No values are known for the scalar ${name}.`);
  return fc.oneof({ weight: 40, arbitrary: values }, { weight: 1, arbitrary: wrong });
}

/** Generates values of an input type, most of them valid. */
function valuesOf(type: GraphQLInputType, pool: Pool): fc.Arbitrary<unknown> {
  if (isNonNullType(type)) {
    return fc.oneof({ weight: 60, arbitrary: valuesOf(type.ofType, pool) }, fc.constant(null));
  }
  if (isListType(type)) return fc.array(valuesOf(type.ofType, pool), { maxLength: 3 });
  if (isEnumType(type)) {
    const names = type.getValues().map(({ name }) => name);
    return fc.oneof({ weight: 40, arbitrary: fc.constantFrom(...names) }, fc.constant('NONSENSE'));
  }
  if (isInputObjectType(type)) {
    const fields = Object.values(type.getFields());
    if (type.isOneOf) {
      const [first, ...others] = fields.map((field) =>
        valuesOf(field.type, pool).map((value) => ({ [field.name]: value })),
      );
      return fc.oneof(first as fc.Arbitrary<object>, ...others);
    }
    return argumentsOf(fields, pool);
  }
  return scalars(getNamedType(type).name, pool);
}

/** Generates values of arguments by name. Most optional ones are left out. */
export const argumentsOf = (
  fields: readonly (GraphQLArgument | GraphQLInputField)[],
  pool: Pool,
): fc.Arbitrary<Record<string, unknown>> =>
  fc
    .record(
      Object.fromEntries(
        fields.map((field) => [
          field.name,
          isNonNullType(field.type) && field.defaultValue === undefined
            ? valuesOf(field.type, pool)
            : fc.oneof(
                { weight: 3, arbitrary: fc.constant(LEFT_OUT) },
                { weight: 2, arbitrary: valuesOf(field.type, pool) },
              ),
        ]),
      ),
    )
    .map((values) =>
      Object.fromEntries(Object.entries(values).filter(([, value]) => value !== LEFT_OUT)),
    );
