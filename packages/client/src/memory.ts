import type { TypedDocument } from './documents.ts';
import { type Payload, payloadOf } from './errors.ts';
import { type EventsOptions, followEvents, type MemoryEvent } from './events.ts';
import { createFacts, type Facts } from './facts.ts';
import type * as graph from './generated/graphql.ts';
import type { Hit } from './hits.ts';
import * as operations from './operations.ts';
import { type RememberOptions, type RememberTurns, rememberInput } from './remember.ts';
import type { MemoryOptions } from './server.ts';
import { createTransport, type Operation, type Transport } from './transport.ts';
import type { CallOptions } from './waiting.ts';

type WithHits<Answer> = Omit<Answer, 'hits'> & { hits: Hit[] };
/** Each turn with its status, in the order in which they were given. */
export type Remembered = Payload<graph.RememberMutation['remember']>;
/** How many turns were stored, were there already, or stay forgotten. */
export type Imported = Payload<graph.ImportConversationMutation['importConversation']>;
/** What answers a query: known facts, hits in their order, and all of it as text for a prompt. */
export type Recalled = WithHits<Payload<graph.RecallQuery['recall']>>;
/** What a model needs to answer a message. */
export type MemoryContext = WithHits<Payload<graph.ContextQuery['context']>>;
/** How much was erased. */
export type Forgotten = Payload<graph.ForgetMutation['forget']>;
export type CompactionProgress = graph.CompactionsSubscription['compactions'];
export type LinkingProgress = graph.LinkingSubscription['linking'];
/** An archive of a whole memory, as lines of JSON. */
export type Archive = { bytes: number; stream: ReadableStream<Uint8Array> };

/** The turns of a conversation, and the name of the user in them. */
export type PastConversation = Omit<graph.ImportConversationInput, 'userId'>;

type RecallOptions = Omit<graph.RecallInput, 'query' | 'userId'>;
type ContextOptions = Omit<graph.ContextInput, 'message' | 'userId'>;
type ForgetOptions = CallOptions & { preview?: boolean };
type Live = { signal?: AbortSignal | undefined };
type Rest<Variables> =
  Variables extends Record<string, never>
    ? [variables?: Variables, call?: CallOptions]
    : [variables: Variables, call?: CallOptions];

/** The memory of one user. All methods throw MemoryError. */
export type Memory = {
  /** The memory of another user. Needs an API key, or an open server. */
  as(userId: string): Memory;
  /** Stores one text, or several turns. Turns get idempotency keys, so nothing is stored twice. */
  remember(text: string, options?: RememberOptions, call?: CallOptions): Promise<Remembered>;
  remember(turns: RememberTurns, call?: CallOptions): Promise<Remembered>;
  /** Stores a conversation of the past in its own time. After a failure it may be repeated: nothing is stored twice. */
  importConversation(conversation: PastConversation, call?: CallOptions): Promise<Imported>;
  /** Finds what answers a query best. */
  recall(query: string, options?: RecallOptions, call?: CallOptions): Promise<Recalled>;
  /** Assembles what a model needs to answer a message. */
  context(message: string, options?: ContextOptions, call?: CallOptions): Promise<MemoryContext>;
  readonly facts: Facts;
  /** Erases something for good, with everything derived from it. With `preview` it only says what would go. */
  forget(what: graph.ForgetInput, options?: ForgetOptions): Promise<Forgotten>;
  /** Exports the whole memory. */
  export(call?: CallOptions): Promise<Archive>;
  /** Follows what happens in this memory: over restarts no event is missed and none comes twice. */
  events(options?: EventsOptions): AsyncGenerator<MemoryEvent>;
  /** Follows the progress of compactions. Live only: what happens during a disconnection is in `events`. */
  compactions(options?: Live & { threadId?: string }): AsyncGenerator<CompactionProgress>;
  /** Follows the progress of linking. Live only, as `compactions`. */
  linking(options?: Live): AsyncGenerator<LinkingProgress>;
  /** Sends any operation. Result unions come as they are: expected errors are not thrown. */
  request<Data, Variables>(
    document: TypedDocument<Data, Variables>,
    ...rest: Rest<Variables>
  ): Promise<Data>;
  request<Data = unknown>(
    document: string,
    variables?: Record<string, unknown>,
    call?: CallOptions,
  ): Promise<Data>;
};

/** Creates a client of a Mnemograph server. It opens no connection before it is used. */
export const createMemory = (options: MemoryOptions): Memory =>
  memoryOf(createTransport(options), undefined);

function memoryOf(transport: Transport, userId: string | undefined): Memory {
  const live = <Data, Item>(
    operation: Operation<Data, unknown>,
    itemOf: (data: Data) => Item,
    signal: AbortSignal | undefined,
  ) =>
    transport.follow(async function* connect() {
      for await (const data of transport.open(operation, signal)) yield data && itemOf(data);
    }, signal);

  return {
    as: (name) => memoryOf(transport, name),
    async remember(
      said: string | RememberTurns,
      second: RememberOptions | CallOptions = {},
      third?: CallOptions,
    ) {
      const isText = typeof said === 'string';
      const options = (isText ? second : {}) as RememberOptions;
      const variables = { input: rememberInput(said, options, userId) };
      const { remember } = await transport.request(
        { document: operations.REMEMBER, variables, isRepeatable: true },
        isText ? third : (second as CallOptions),
      );
      return payloadOf(remember);
    },
    async importConversation(conversation, call) {
      const variables = { input: { ...conversation, userId } };
      const { importConversation } = await transport.request(
        { document: operations.IMPORT_CONVERSATION, variables, isRepeatable: true },
        call,
      );
      return payloadOf(importConversation);
    },
    async recall(query, options, call) {
      const variables = { input: { ...options, query, userId } };
      const { recall } = await transport.request({ document: operations.RECALL, variables }, call);
      return payloadOf(recall) as Recalled;
    },
    async context(message, options, call) {
      const variables = { input: { ...options, message, userId } };
      const { context } = await transport.request(
        { document: operations.CONTEXT, variables },
        call,
      );
      return payloadOf(context) as MemoryContext;
    },
    facts: createFacts(transport, userId),
    async forget(input, { preview = false, ...call } = {}) {
      const variables = { userId: input.everythingOf ? undefined : userId, input, preview };
      const { forget } = await transport.request(
        { document: operations.FORGET, variables, isRepeatable: preview },
        call,
      );
      return payloadOf(forget);
    },
    async export(call) {
      const { exportMemory } = await transport.request(
        { document: operations.EXPORT, variables: { userId }, isRepeatable: true },
        call,
      );
      const { headers, body } = await transport.download(payloadOf(exportMemory).url, call);
      const stream = body ?? new ReadableStream<Uint8Array>();
      return { bytes: Number(headers.get('content-length')), stream };
    },
    events: (options = {}) => followEvents(transport, userId, options),
    compactions: ({ threadId, signal } = {}) =>
      live(
        { document: operations.COMPACTIONS, variables: { userId, threadId } },
        (data) => data.compactions,
        signal,
      ),
    linking: ({ signal } = {}) =>
      live({ document: operations.LINKING, variables: { userId } }, (data) => data.linking, signal),
    request: <Data>(
      document: TypedDocument<Data, unknown> | string,
      variables?: unknown,
      call?: CallOptions,
    ) => transport.request<Data, unknown>({ document, variables }, call),
  };
}
