import SchemaBuilder, {
  BasePlugin,
  isThenable,
  type PothosOutputFieldConfig,
  type SchemaTypes,
} from '@pothos/core';
import { type GraphQLFieldResolver, getNamedType, isLeafType } from 'graphql';
import type { RequestContext } from './request-context.ts';

/** The plugin's name in the schema builder. */
export const ANSWER_SIZE = 'answerSize';

declare global {
  export namespace PothosSchemaTypes {
    export interface Plugins<Types extends SchemaTypes> {
      answerSize: AnswerSizePlugin<Types>;
    }
  }
}

type Resolver<Types extends SchemaTypes> = GraphQLFieldResolver<unknown, Types['Context'], object>;

/** Bytes of JSON syntax around a field's name: two quotes, a colon and a comma. */
const FIELD_SYNTAX = 4;
/** Bytes of JSON syntax around an object in a list: two brackets and a comma. */
const ITEM_SYNTAX = 3;

/** Counts the bytes that every field adds to its answer. Starts no field after the answer was refused or the caller has left. */
class AnswerSizePlugin<Types extends SchemaTypes> extends BasePlugin<Types> {
  override wrapResolve(
    resolver: Resolver<Types>,
    { kind }: PothosOutputFieldConfig<Types>,
  ): Resolver<Types> {
    return (parent, args, context, info) => {
      const { answer } = context as RequestContext;
      if (kind === 'Subscription') answer.begin();
      // A mutation runs even if the caller has left in the meantime.
      if (kind !== 'Mutation') answer.check();
      const isLeaf = isLeafType(getNamedType(info.returnType));
      const name = String(info.path.key).length + FIELD_SYNTAX;
      const counted = (value: unknown): unknown => {
        answer.check();
        const full = answer.show(name + (isLeaf ? bytesOf(value) : itemsOf(value)));
        return full ? full.then(() => value) : value;
      };
      const resolve = () => resolver(parent, args, context, info);
      const value = kind === 'Query' ? answer.top(afterCheck(answer.check, resolve)) : resolve();
      return isThenable(value) ? value.then(counted) : counted(value);
    };
  }
}

const afterCheck =
  <T>(check: () => void, work: () => T) =>
  (): T => {
    check();
    return work();
  };

const itemsOf = (value: unknown): number =>
  Array.isArray(value) ? value.length * ITEM_SYNTAX : ITEM_SYNTAX;

/** Returns the size of a value as JSON, in bytes. For numbers, dates, booleans and null it is a high estimate. */
function bytesOf(value: unknown): number {
  if (Array.isArray(value)) return value.reduce((sum: number, each) => sum + bytesOf(each) + 1, 2);
  if (typeof value === 'string') return Buffer.byteLength(JSON.stringify(value));
  if (typeof value === 'object' && value !== null && !(value instanceof Date)) {
    return Buffer.byteLength(JSON.stringify(value));
  }
  // A number, a date, true, false or null.
  return 24;
}

SchemaBuilder.registerPlugin(ANSWER_SIZE, AnswerSizePlugin);
