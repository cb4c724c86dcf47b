import type { TurnInput } from '@mnemograph/client';
import { type AdapterOptions, createExchanges } from './exchange.ts';

export type { AdapterOptions } from './exchange.ts';

/** An item of a conversation, by its structure. */
type Item = { type?: string | undefined; role?: string; content?: unknown };
type Transaction = { items?: Item[]; expectedSuffix?: Item[]; replacement?: Item[] };
type Applied = { operationId: string; transaction: Transaction };

/** A session of the OpenAI Agents SDK, by its structure. */
export type AgentSession = {
  // biome-ignore lint/suspicious/noExplicitAny: the items of every version of the SDK.
  addItems(items: any[]): Promise<void>;
};

/** What a call of the model gets, by its structure. */
export type ModelInput<Items extends readonly object[] = object[]> = {
  input: Items;
  instructions?: string;
};

/**
 * The same session, which also remembers what the user and the assistant say in it. It gives all items back unchanged: tool
 * calls and reasoning stay with the session, memory keeps the words.
 */
export function remembering<Session extends AgentSession>(
  session: Session,
  options: AdapterOptions,
): Session {
  const exchanges = createExchanges(options);
  const own: Record<string, unknown> = {
    async addItems(items: Item[]) {
      await session.addItems(items);
      await exchanges.remember(turnsIn(items));
    },
  };
  const { applyHistoryTransaction: apply } = session as {
    applyHistoryTransaction?: (applied: Applied) => Promise<void> | void;
  };
  // Sessions that have it are written by it instead. It may be repeated: the keys prevent a second turn.
  if (typeof apply === 'function') {
    own.applyHistoryTransaction = async (applied: Applied) => {
      await apply.call(session, applied);
      const turns = turnsIn(newIn(applied.transaction));
      const keyOf = (index: number) => `${applied.operationId}:${index}`.slice(-KEY);
      await exchanges.remember(
        turns.map((turn, index) => ({ ...turn, idempotencyKey: keyOf(index) })),
      );
    };
  }
  return new Proxy(session, {
    get(target, name) {
      if (typeof name === 'string' && Object.hasOwn(own, name)) return own[name];
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

/**
 * A `callModelInputFilter` for `run` that gives the model what memory knows about what was asked, with its instructions, so
 * that the session does not keep it. A loop of tools recalls once.
 */
export function memoryFilter(options: AdapterOptions) {
  const exchanges = createExchanges(options);
  return async <Input extends ModelInput>({ modelData }: { modelData: Input }): Promise<Input> => {
    const items: readonly Item[] = modelData.input;
    const place = items.findLastIndex(({ role }) => role === 'user');
    const question = { text: textOf(items[place] ?? {}), place, isNew: place === items.length - 1 };
    const context = (await exchanges.of(question)?.context) ?? '';
    if (context === '') return modelData;
    const instructions = [modelData.instructions, context].filter(Boolean).join('\n\n');
    return { ...modelData, instructions };
  };
}

/** The most characters of an idempotency key. */
const KEY = 200;

/** What users and assistants say in items. A compaction repeats what was said before: it is left out with all that follows it. */
function turnsIn(items: readonly Item[]): TurnInput[] {
  if (items[0]?.type === 'compaction') return [];
  return items.flatMap((item) => {
    const text = textOf(item);
    if (text === '' || (item.role !== 'user' && item.role !== 'assistant')) return [];
    return [{ role: item.role === 'user' ? ('USER' as const) : ('ASSISTANT' as const), text }];
  });
}

/** The items that a transaction adds, without those that it only puts in their place again. */
function newIn({ items, expectedSuffix = [], replacement = [] }: Transaction): Item[] {
  const known = new Set(expectedSuffix.map((item) => JSON.stringify(item)));
  return items ?? replacement.filter((item) => !known.has(JSON.stringify(item)));
}

function textOf({ content }: Item): string {
  if (typeof content === 'string') return content.trim();
  if (!Array.isArray(content)) return '';
  const texts = content.map((part: { text?: unknown }) => part.text);
  return texts
    .filter((text) => typeof text === 'string')
    .join('\n')
    .trim();
}
