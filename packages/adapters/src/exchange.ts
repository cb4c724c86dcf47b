import type { Memory, TurnInput } from '@mnemograph/client';

/** Whose memory an adapter uses, and how. */
export type AdapterOptions = {
  /** The memory of the user who talks, such as `createMemory({ … }).as('ada')`. */
  memory: Pick<Memory, 'context' | 'remember'>;
  /** The channel of what is said; by default the implicit channel "default". */
  channel?: string | undefined;
  /** The thread of what is said. On an implicit channel it is chosen by inactivity. */
  threadId?: string | undefined;
  /** The most tokens that memory adds to a prompt; 2,000 by default. */
  maxTokens?: number | undefined;
  /** Milliseconds that a call waits for memory, before the answer and after it; 3,000 by default. */
  timeout?: number | undefined;
  /**
   * Called for the first failure of this memory, whichever adapter notices it, and each time that it refuses what an adapter sends;
   * by default it is written to the console.
   */
  warn?: ((message: string, error: unknown) => void) | undefined;
};

/** Something that a user asked, and all the calls of a model that answer it. */
export type Exchange = {
  /** What memory knows about the question, as text for the model; empty if memory is away. */
  readonly context: Promise<string>;
  /** Stores the question, and what was answered so far if it is complete. Each is stored once. */
  remember(answer: Answer | null): Promise<void>;
};

/** The last message of the user. */
export type Question = {
  text: string;
  /** Its place among the messages. */
  place: number;
  /** Whether nothing has been answered to it yet, not even by a call of a tool. */
  isNew: boolean;
  /** Whether an earlier request has stored it. */
  isStored?: boolean;
};

/** What a model answered. */
export type Answer = { text: string; toolCalls?: TurnInput['toolCalls'] };

/** What all adapters share. Nothing in it fails: if memory is away, the call of the model goes on. */
export type Exchanges = {
  /** The exchange of a question: the same one until it is answered. Null if it has no words. */
  of(question: Question): Exchange | null;
  /** Stores turns. */
  remember(turns: TurnInput[]): Promise<void>;
};

const CHANNEL = 'default';
const MAX_TOKENS = 2_000;
const TIMEOUT = 3_000;
/** The most characters of a question that memory reads. */
const QUESTION = 10_000;
/** The most characters of a result of a tool that memory stores. */
const RESULT = 100_000;
/** Exchanges without an answer, of which the oldest is given up. */
const MOST = 100;

/** The memories of which a failure was told. A session and a filter, for example, share one. */
const told = new WeakSet<object>();

export function createExchanges(options: AdapterOptions): Exchanges {
  const { memory, channel = CHANNEL, threadId, maxTokens = MAX_TOKENS } = options;
  const { warn = warnOnConsole } = options;
  const call = { timeout: options.timeout ?? TIMEOUT };
  const open = new Map<string, Exchange>();

  /** Says once that memory is away, and each time that it refuses something. */
  const failed = (what: string) => (error: unknown) => {
    if (isRefusal(error))
      return warn(`Mnemograph refused its input: ${what}. ${whyOf(error)}`, error);
    if (told.has(memory)) return;
    told.add(memory);
    warn(`Mnemograph is away: ${what}. Calls go on without memory. ${whyOf(error)}`, error);
  };
  const contextOf = (question: string): Promise<string> =>
    memory
      .context(clean(question.slice(0, QUESTION)), { channel, threadId, maxTokens }, call)
      .then(({ markdown }) => markdown)
      .catch((error) => {
        failed('nothing was recalled')(error);
        return '';
      });
  const store = async (turns: TurnInput[]) => {
    await memory.remember({ channel, threadId, turns }, call);
  };
  /** What was said matters more than what tools gave for it. */
  const storeWithoutCalls = async (turns: TurnInput[], refusal: unknown) => {
    const isPoorer = turns.some(({ toolCalls = [] }) => toolCalls && toolCalls.length > 0);
    if (!isRefusal(refusal) || !isPoorer) throw refusal;
    await store(turns.map(({ toolCalls: _, ...turn }) => turn));
    failed('an answer was stored without its tool calls')(refusal);
  };
  const remember = async (turns: TurnInput[]) => {
    const spoken = turns.map(storable).filter(({ text }) => text.trim() !== '');
    if (spoken.length === 0) return;
    await store(spoken)
      .catch((error) => storeWithoutCalls(spoken, error))
      .catch(failed('what was said was not stored'));
  };

  return {
    remember,
    of({ text: question, place, isNew, isStored: wasStored = false }) {
      if (question === '') return null;
      const name = `${place}:${question}`;
      const known = isNew ? undefined : open.get(name);
      if (known) return known;
      let isStored = wasStored;
      const exchange: Exchange = {
        context: contextOf(question),
        async remember(answer) {
          const asked = isStored ? [] : [{ text: question }];
          isStored = true;
          if (answer) open.delete(name);
          await remember([
            ...asked,
            ...(answer ? [{ role: 'ASSISTANT' as const, ...answer }] : []),
          ]);
        },
      };
      open.set(name, exchange);
      const [oldest] = open.keys();
      if (open.size > MOST && oldest !== undefined) open.delete(oldest);
      return exchange;
    },
  };
}

/** Removes what memory cannot store: NUL characters and unpaired surrogates. */
const clean = (text: string): string => text.replaceAll('\u0000', '').toWellFormed();

/** The turn as memory takes it: an empty result of a tool is none. */
function storable(turn: TurnInput): TurnInput {
  const text = clean(turn.text);
  if (!turn.toolCalls) return { ...turn, text };
  const toolCalls = turn.toolCalls.map(({ result, ...rest }) => ({
    ...rest,
    result:
      clean(result ?? '')
        .slice(0, RESULT)
        .toWellFormed() || null,
  }));
  return { ...turn, text, toolCalls };
}

const isRefusal = (error: unknown): boolean =>
  error instanceof Error && (error as { code?: unknown }).code === 'INVALID_INPUT';

/** Why something failed: of a refusal, what is wrong where. */
function whyOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { issues = [] } = error as { issues?: readonly { path: string; message: string }[] };
  const wrong = issues.map(({ path, message }) => `${path} ${message}`).join('; ');
  return wrong || error.message;
}

function warnOnConsole(message: string): void {
  // biome-ignore lint/suspicious/noConsole: whoever gives no other way reads it there.
  console.warn(message);
}
