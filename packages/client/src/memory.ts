import type { TypedDocument } from './documents.ts';
import { type Payload, payloadOf } from './errors.ts';
import { createFacts, type Facts } from './facts.ts';
import { createFollowing, type Following } from './follow-memory.ts';
import type * as graph from './generated/graphql.ts';
import type { Hit } from './hits.ts';
import * as operations from './operations.ts';
import { memoryIn, type Owner, ownerOf } from './pages.ts';
import { type RememberOptions, type RememberTurns, rememberInput } from './remember.ts';
import type { MemoryOptions } from './server.ts';
import { createTransport, type Transport } from './transport.ts';
import type { CallOptions } from './waiting.ts';

type WithHits<Answer> = Omit<Answer, 'hits'> & { hits: Hit[] };
/** Each turn with its status, in the order in which they were given. */
export type Remembered = Payload<graph.RememberMutation['remember']>;
/** How many turns were stored, were there already, or stay forgotten. */
export type Imported = Payload<graph.ImportConversationMutation['importConversation']>;
type WithStages = WithHits<Payload<graph.RecallQuery['recall']>>;
/** What answers a query: known facts, hits in their order, and all of it as text for a prompt. */
export type Recalled = Omit<WithStages, 'stages'>;
/** A stage of a recall: how long it took, its candidates, and why it left some out. */
export type RecallStage = NonNullable<WithStages['stages']>[number];
/** How a recall treated one memory: its rank and score, and what kept it out of the hits. */
export type Miss = Payload<graph.ExplainMissQuery['explainMiss']>;
/** How much there was of a kind in one bucket of time. */
export type Activity = graph.CountedFragment['activity'][number];
/** What a model needs to answer a message. */
export type MemoryContext = WithHits<Payload<graph.ContextQuery['context']>>;
/** How much was erased. */
export type Forgotten = Payload<graph.ForgetMutation['forget']>;
/** An archive of a whole memory, as lines of JSON. */
export type Archive = { bytes: number; stream: ReadableStream<Uint8Array> };

/** The turns of a conversation, and the name of the user in them. */
export type PastConversation = Omit<graph.ImportConversationInput, 'userId'>;

type RecallOptions = Omit<graph.RecallInput, 'query' | 'userId'>;
type MissOptions = Omit<graph.RecallInput, 'userId'>;
type ActivityOptions = Omit<graph.ActivityQueryVariables, keyof Owner>;
type ContextOptions = Omit<graph.ContextInput, 'message' | 'userId'>;
type ForgetOptions = CallOptions & { preview?: boolean };
type RequestOptions = CallOptions & {
  /** The operation does no more when it is sent twice, so it is sent again when its answer was lost. True for queries. */
  isRepeatable?: boolean | undefined;
};
type Rest<Variables> =
  Variables extends Record<string, never>
    ? [variables?: Variables, call?: RequestOptions]
    : [variables: Variables, call?: RequestOptions];

/** The memory of one user. All methods throw MemoryError. */
export type Memory = Following & {
  /** The memory of another user. Needs an API key; an open server has one memory only. */
  as(userId: string): Memory;
  /** Stores one text, or several turns. Turns get idempotency keys, so nothing is stored twice. */
  remember(text: string, options?: RememberOptions, call?: CallOptions): Promise<Remembered>;
  remember(turns: RememberTurns, call?: CallOptions): Promise<Remembered>;
  /** Stores a conversation of the past in its own time. After a failure it may be repeated: nothing is stored twice. */
  importConversation(conversation: PastConversation, call?: CallOptions): Promise<Imported>;
  /** Finds what answers a query best. */
  recall(query: string, options?: RecallOptions, call?: CallOptions): Promise<Recalled>;
  /** The same, with the stages in which the answer was found: for looking into it. */
  recall(
    query: string,
    options: RecallOptions & { stages: true },
    call?: CallOptions,
  ): Promise<Recalled & { stages: RecallStage[] }>;
  /** Explains why a turn, an episode, a fact, a semantic memory or a skill is not among the hits of a query. */
  explainMiss(id: string, recall: MissOptions, call?: CallOptions): Promise<Miss>;
  /** Counts what happened, by kind and by hour, day or week; the earliest first. */
  activity(span: ActivityOptions, call?: CallOptions): Promise<Activity[]>;
  /** Assembles what a model needs to answer a message. */
  context(message: string, options?: ContextOptions, call?: CallOptions): Promise<MemoryContext>;
  readonly facts: Facts;
  /** Erases something for good, with everything derived from it. With `preview` it only says what would go. */
  forget(what: graph.ForgetInput, options?: ForgetOptions): Promise<Forgotten>;
  /** Exports the whole memory. */
  export(call?: CallOptions): Promise<Archive>;
  /** Sends any operation. Result unions come as they are: expected errors are not thrown. */
  request<Data, Variables>(
    document: TypedDocument<Data, Variables>,
    ...rest: Rest<Variables>
  ): Promise<Data>;
  request<Data = unknown>(
    document: string,
    variables?: Record<string, unknown>,
    call?: RequestOptions,
  ): Promise<Data>;
};

/** Creates a client of a Mnemograph server. It opens no connection before it is used. */
export const createMemory = (options: MemoryOptions): Memory =>
  memoryOf(createTransport(options), undefined);

function memoryOf(transport: Transport, userId: string | undefined): Memory {
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
    async recall(
      query: string,
      { stages = false, ...options }: RecallOptions & { stages?: boolean } = {},
      call?: CallOptions,
    ) {
      const variables = { input: { ...options, query, userId }, stages };
      const { recall } = await transport.request({ document: operations.RECALL, variables }, call);
      return payloadOf(recall) as Recalled & { stages: RecallStage[] };
    },
    async explainMiss(id, recall, call) {
      const variables = { id, input: { ...recall, userId } };
      const document = operations.EXPLAIN_MISS;
      return payloadOf((await transport.request({ document, variables }, call)).explainMiss);
    },
    async activity(span, call) {
      const variables = { ...span, ...ownerOf(userId) };
      const document = operations.ACTIVITY;
      const data = await transport.request({ document, variables }, call);
      return [...(memoryIn(data)?.activity ?? [])];
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
      const { headers, body } = await transport.download(
        { document: operations.EXPORT, variables: { userId } },
        ({ exportMemory }) => payloadOf(exportMemory).url,
        call,
      );
      const stream = body ?? new ReadableStream<Uint8Array>();
      return { bytes: Number(headers.get('content-length')), stream };
    },
    ...createFollowing(transport, userId),
    request: <Data>(
      document: TypedDocument<Data, unknown> | string,
      variables?: unknown,
      { isRepeatable, ...call }: RequestOptions = {},
    ) => transport.request<Data, unknown>({ document, variables, isRepeatable }, call),
  };
}
