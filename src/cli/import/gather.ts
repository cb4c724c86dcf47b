import { type Conversation, type ImportedTurn, type Skipped, skip } from './conversation.ts';

/** What one request carries: at most so many turns, and about so many characters, far below MAX_BODY_BYTES. */
const MOST_TURNS = 1_000;
const MOST_CHARACTERS = 500_000;

/** Turns of one conversation, or of none, that are sent together. */
export type Part = Omit<Conversation, 'skipped'> & { characters: number };

/** Gathers the turns of conversations, which may come in pieces, to parts of a size to send. */
export async function* gather(
  conversations: AsyncIterable<Conversation>,
  skipped: Skipped,
): AsyncGenerator<Part> {
  // Begins each later part: it tells the server which thread that goes on with.
  const first = new Map<string | null, ImportedTurn>();
  let open: Part | null = null;
  for await (const { turn, ...own } of oneByOne(conversations, skipped)) {
    if (open && !takes(open, own.id)) {
      yield open;
      open = null;
    }
    const anchor = first.get(own.id);
    open ??= { ...own, turns: anchor ? [anchor] : [], characters: 0 };
    open.turns.push(turn);
    open.characters += turn.text.length;
    if (own.id !== null && turn.isUser && !anchor) first.set(own.id, turn);
  }
  if (open) yield open;
}

const takes = ({ id, turns, characters }: Part, next: string | null): boolean =>
  id === next && turns.length < MOST_TURNS && characters < MOST_CHARACTERS;

async function* oneByOne(conversations: AsyncIterable<Conversation>, skipped: Skipped) {
  for await (const { turns, id, title, ...own } of conversations) {
    for (const [why, count] of Object.entries(own.skipped)) skip(skipped, why, count);
    for (const turn of turns) yield { id, title, turn };
  }
}
