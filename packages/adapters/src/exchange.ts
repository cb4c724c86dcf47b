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
  /** Called for the first failure of this memory, whichever adapter notices it; by default it is written to the console. */
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
/** Exchanges without an answer, of which the oldest is given up. */
const MOST = 100;

/** The memories of which a failure was told. A session and a filter, for example, share one. */
const told = new WeakSet<object>();

export function createExchanges(options: AdapterOptions): Exchanges {
  const { memory, channel = CHANNEL, threadId, maxTokens = MAX_TOKENS } = options;
  const { warn = warnOnConsole } = options;
  const call = { timeout: options.timeout ?? TIMEOUT };
  const open = new Map<string, Exchange>();

  /** Says once that memory is away. */
  const failed = (what: string) => (error: unknown) => {
    if (told.has(memory)) return;
    told.add(memory);
    const reason = error instanceof Error ? error.message : String(error);
    warn(`Mnemograph is away: ${what}. Calls go on without memory. ${reason}`, error);
  };
  const contextOf = (question: string): Promise<string> =>
    memory
      .context(question.slice(0, QUESTION).toWellFormed(), { channel, threadId, maxTokens }, call)
      .then(({ markdown }) => markdown)
      .catch((error) => {
        failed('nothing was recalled')(error);
        return '';
      });
  const remember = async (turns: TurnInput[]) => {
    const spoken = turns.filter(({ text }) => text.trim() !== '');
    if (spoken.length === 0) return;
    await memory
      .remember({ channel, threadId, turns: spoken }, call)
      .then(() => undefined, failed('what was said was not stored'));
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

function warnOnConsole(message: string): void {
  // biome-ignore lint/suspicious/noConsole: whoever gives no other way reads it there.
  console.warn(message);
}
