import { payloadOf } from './errors.ts';
import type {
  FactFragment,
  FactsQueryVariables,
  GetFactQuery,
  RecordFactInput,
} from './generated/graphql.ts';
import * as operations from './operations.ts';
import { memoryIn, type Owner, ownerOf, pagesOf } from './pages.ts';
import type { Operation, Transport } from './transport.ts';
import type { CallOptions } from './waiting.ts';

/** A statement that is or was true of the user. */
export type Fact = FactFragment;

/** Which facts to read; the active ones by default. */
export type FactsFilter = Omit<FactsQueryVariables, keyof Owner | 'after'>;

/** The facts of a memory. */
export type Facts = {
  /** All facts that pass the filter, read page by page while they are iterated. */
  all(filter?: FactsFilter, call?: CallOptions): AsyncGenerator<Fact>;
  /** One fact with its history and the turns that state it; null if this memory has no such fact. */
  get(id: string, call?: CallOptions): Promise<GetFactQuery['fact']>;
  /** Records a fact by hand. Earlier facts under its key stay on record. */
  record(fact: Omit<RecordFactInput, 'userId'>, call?: CallOptions): Promise<Fact>;
  /** Says that a fact was never true. */
  retract(id: string, call?: CallOptions): Promise<Fact>;
  /** Undoes a retraction. */
  restore(id: string, call?: CallOptions): Promise<Fact>;
  /** Pins a fact, so that every answer includes it; `pinned: false` removes the pin. */
  pin(id: string, pinned?: boolean, call?: CallOptions): Promise<Fact>;
};

export function createFacts(transport: Transport, userId: string | undefined): Facts {
  const change = async <Data extends { result: unknown }, Variables>(
    operation: Operation<Data, Variables>,
    call: CallOptions | undefined,
  ) => payloadOf((await transport.request(operation, call)).result) as Fact;
  return {
    all: (filter, call) =>
      pagesOf(async (after) => {
        const variables = { ...filter, ...ownerOf(userId), after };
        const data = await transport.request({ document: operations.FACTS, variables }, call);
        return memoryIn(data)?.facts;
      }),
    get: async (id, call) => {
      const variables = { userId, id };
      return (await transport.request({ document: operations.GET_FACT, variables }, call)).fact;
    },
    record: (fact, call) =>
      change({ document: operations.RECORD_FACT, variables: { input: { ...fact, userId } } }, call),
    retract: (factId, call) =>
      change(repeatable(operations.RETRACT_FACT, { userId, factId }), call),
    restore: (factId, call) =>
      change(repeatable(operations.RESTORE_FACT, { userId, factId }), call),
    pin: (factId, pinned = true, call) =>
      change(repeatable(operations.PIN_FACT, { userId, factId, pinned }), call),
  };
}

/** A mutation that may be sent again without further effect. */
const repeatable = <Data, Variables>(
  document: Operation<Data, Variables>['document'],
  variables: Variables,
): Operation<Data, Variables> => ({ document, variables, isRepeatable: true });
