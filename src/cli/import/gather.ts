import { type Conversation, type ImportedTurn, type Skipped, skip } from './conversation.ts';

/** The size of a request: at most this many turns, and about this many characters, far below MAX_BODY_BYTES. */
const MAX_TURNS = 1_000;
const MAX_CHARACTERS = 500_000;

/** Turns that are sent in one request. They belong to the same conversation, or all of them to none. */
export type Part = Omit<Conversation, 'skipped'> & { characters: number };

/** Combines the turns of conversations, which may come in pieces, into parts of a suitable size for a request. */
export async function* gather(
  conversations: AsyncIterable<Conversation>,
  skipped: Skipped,
): AsyncGenerator<Part> {
  // The user's first turn of each conversation. Every later part repeats it: by this turn, which it has already stored,
  // the server finds the thread that the part continues.
  const anchors = new Map<string | null, ImportedTurn>();
  let open: Part | null = null;
  for await (const { turn, ...conversation } of oneByOne(conversations, skipped)) {
    if (open && !takes(open, conversation.id)) {
      yield open;
      open = null;
    }
    const anchor = anchors.get(conversation.id);
    open ??= { ...conversation, turns: anchor ? [anchor] : [], characters: 0 };
    open.turns.push(turn);
    open.characters += turn.text.length;
    if (conversation.id !== null && turn.isUser && !anchor) anchors.set(conversation.id, turn);
  }
  if (open) yield open;
}

const takes = ({ id, turns, characters }: Part, next: string | null): boolean =>
  id === next && turns.length < MAX_TURNS && characters < MAX_CHARACTERS;

async function* oneByOne(conversations: AsyncIterable<Conversation>, skipped: Skipped) {
  for await (const { turns, id, title, skipped: reasons } of conversations) {
    for (const [reason, count] of Object.entries(reasons)) skip(skipped, reason, count);
    for (const turn of turns) yield { id, title, turn };
  }
}
