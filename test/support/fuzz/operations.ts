import fc from 'fast-check';
import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  isAbstractType,
  isLeafType,
  isObjectType,
  type OperationTypeNode,
} from 'graphql';
import { argumentsOf, type Pool } from './values.ts';

/** An operation to send. */
export type Operation = {
  kind: OperationTypeNode;
  /** The root field it calls. */
  field: string;
  query: string;
  variables: Record<string, unknown>;
};

type Call = {
  field: GraphQLField<unknown, unknown>;
  values: Record<string, unknown>;
  selection: Selection;
};
/** The fields selected of a type: null for a leaf, and one entry per type for an abstract type. */
type Selection = { on: string | null; calls: Call[] }[] | null;

const DEPTH = 3;
const MOST_FIELDS = 4;

/** Generates operations that call one root field each, with arguments and selections from the schema. */
export function operationsOf(
  schema: GraphQLSchema,
  kind: OperationTypeNode,
  pool: Pool,
): { field: string; operations: fc.Arbitrary<Operation> }[] {
  const root = schema.getRootType(kind);
  return Object.values(root?.getFields() ?? {}).map((field) => ({
    field: field.name,
    operations: calls(schema, field, pool, DEPTH).map((call) => render(kind, call)),
  }));
}

function calls(
  schema: GraphQLSchema,
  field: GraphQLField<unknown, unknown>,
  pool: Pool,
  depth: number,
): fc.Arbitrary<Call> {
  return fc
    .tuple(argumentsOf(field.args, pool), selections(schema, field.type, pool, depth))
    .map(([values, selection]) => ({ field, values, selection }));
}

function selections(
  schema: GraphQLSchema,
  output: GraphQLOutputType,
  pool: Pool,
  depth: number,
): fc.Arbitrary<Selection> {
  const type = getNamedType(output);
  if (isLeafType(type)) return fc.constant(null);
  const types = isAbstractType(type) ? [...schema.getPossibleTypes(type)] : [type];
  const each = types.filter(isObjectType).map((objectType) => {
    const fields = Object.values(objectType.getFields()).filter(
      (field) => depth > 0 || isLeafType(getNamedType(field.type)),
    );
    const chosen = fc.shuffledSubarray(fields, { maxLength: Math.min(MOST_FIELDS, fields.length) });
    return chosen
      .chain((some) => fc.tuple(...some.map((field) => calls(schema, field, pool, depth - 1))))
      .map((all) => ({ on: isAbstractType(type) ? objectType.name : null, calls: all }));
  });
  return fc.tuple(...each) as fc.Arbitrary<Selection>;
}

/** Renders an operation with all arguments as variables. */
function render(kind: OperationTypeNode, call: Call): Operation {
  const variables: Record<string, unknown> = {};
  const declared: string[] = [];
  const argument = ({ type }: GraphQLArgument, value: unknown): string => {
    const name = `v${declared.length}`;
    declared.push(`$${name}: ${type}`);
    variables[name] = value;
    return `$${name}`;
  };
  const fields = (selection: Selection): string => {
    if (selection === null) return '';
    const parts = selection.map(({ on, calls }) => {
      const inner = [
        '__typename',
        ...calls.map((nested, place) => `f${place}${on ?? ''}: ${text(nested)}`),
      ].join(' ');
      return on === null ? inner : `... on ${on} { ${inner} }`;
    });
    return ` { ${parts.join(' ')} }`;
  };
  const text = ({ field, values, selection }: Call): string => {
    const given = field.args
      .filter(({ name }) => name in values)
      .map((one) => `${one.name}: ${argument(one, values[one.name])}`);
    return `${field.name}${given.length > 0 ? `(${given.join(', ')})` : ''}${fields(selection)}`;
  };
  const body = text(call);
  const head = declared.length > 0 ? `(${declared.join(', ')})` : '';
  return { kind, field: call.field.name, query: `${kind} Fuzz${head} { ${body} }`, variables };
}
