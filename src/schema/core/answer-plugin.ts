import SchemaBuilder, {
  BasePlugin,
  isThenable,
  type PothosOutputFieldConfig,
  type SchemaTypes,
} from '@pothos/core';
import { type GraphQLFieldResolver, getNamedType, isLeafType } from 'graphql';
import type { RequestContext } from './request-context.ts';

/** The name by which the builder knows it. */
export const ANSWER_SIZE = 'answerSize';

declare global {
  export namespace PothosSchemaTypes {
    export interface Plugins<Types extends SchemaTypes> {
      answerSize: AnswerSizePlugin<Types>;
    }
  }
}

type Resolver<Types extends SchemaTypes> = GraphQLFieldResolver<unknown, Types['Context'], object>;

/** Quotes, colon and comma of an entry. */
const SIGNS = 4;
/** Brackets and comma of an object in a list. */
const ITEM = 3;

/** Counts what every field adds to its answer, and begins none that nobody waits for any more. */
class AnswerSizePlugin<Types extends SchemaTypes> extends BasePlugin<Types> {
  override wrapResolve(
    resolver: Resolver<Types>,
    { kind }: PothosOutputFieldConfig<Types>,
  ): Resolver<Types> {
    return (parent, args, context, info) => {
      const { answer } = context as RequestContext;
      if (kind === 'Subscription') answer.begin();
      // A mutation that has come in is done, whether anybody hears of it or not.
      if (kind !== 'Mutation') answer.check();
      const isLeaf = isLeafType(getNamedType(info.returnType));
      const name = String(info.path.key).length + SIGNS;
      const counted = (value: unknown): unknown => {
        answer.check();
        const full = answer.show(name + (isLeaf ? bytesOf(value) : itemsOf(value)));
        return full ? full.then(() => value) : value;
      };
      const resolve = () => resolver(parent, args, context, info);
      const value = kind === 'Query' ? answer.top(inTurn(answer.check, resolve)) : resolve();
      return isThenable(value) ? value.then(counted) : counted(value);
    };
  }
}

const inTurn =
  <T>(check: () => void, work: () => T) =>
  (): T => {
    check();
    return work();
  };

const itemsOf = (value: unknown): number => (Array.isArray(value) ? value.length * ITEM : ITEM);

/** How many bytes a value has as JSON. */
function bytesOf(value: unknown): number {
  if (Array.isArray(value)) return value.reduce((sum: number, each) => sum + bytesOf(each) + 1, 2);
  if (typeof value === 'string') return Buffer.byteLength(JSON.stringify(value));
  if (typeof value === 'object' && value !== null && !(value instanceof Date)) {
    return Buffer.byteLength(JSON.stringify(value));
  }
  // A number, a moment, true, false or null.
  return 24;
}

SchemaBuilder.registerPlugin(ANSWER_SIZE, AnswerSizePlugin);
