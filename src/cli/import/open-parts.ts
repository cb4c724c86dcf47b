import type { Conversation, ImportedTurn } from './conversation.ts';

/** How much some turns are. */
export type Size = { turns: number; characters: number };

/** A conversation's turns that are not sent yet, in the order of the file. */
export type OpenPart = Omit<Conversation, 'skipped'> & { characters: number };

/** One turn, and its conversation. */
type GivenTurn = Pick<Conversation, 'id' | 'title'> & { turn: ImportedTurn };

/** The size of a request, besides turns that it repeats: this many turns, or about this many characters, far below MAX_BODY_BYTES. */
const FULL: Size = { turns: 1_000, characters: 500_000 };
/** So much waits for more of the same conversations, where the user has spoken; and so much until the user speaks. */
const MOST_SPOKEN: Size = { turns: 2_000, characters: 1_000_000 };
const MOST_SILENT: Size = { turns: 20_000, characters: 10_000_000 };

export const isFull = ({ turns, characters }: Size, limit: Size = FULL): boolean =>
  turns >= limit.turns || characters >= limit.characters;

const sizeOf = ({ turns, characters }: OpenPart): Size => ({ turns: turns.length, characters });

/** Holds the turns of several conversations at once, for files in which these take turns. */
export type OpenParts = {
  /** The user's first turn of a conversation. */
  anchorOf(id: string | null): ImportedTurn | undefined;
  /** Takes a turn, and returns what is to be sent now. */
  add(given: GivenTurn): OpenPart[];
  /** Returns all that is left. */
  rest(): OpenPart[];
};

export function createOpenParts(): OpenParts {
  const anchors = new Map<string | null, ImportedTurn>();
  const open = new Map<string | null, OpenPart>();
  const spoken: Size = { turns: 0, characters: 0 };
  const silent: Size = { turns: 0, characters: 0 };

  const count = (id: string | null, { turns, characters }: Size, sign: 1 | -1) => {
    const total = anchors.has(id) ? spoken : silent;
    total.turns += sign * turns;
    total.characters += sign * characters;
  };
  const close = (part: OpenPart): OpenPart => {
    open.delete(part.id);
    count(part.id, sizeOf(part), -1);
    return part;
  };
  /** Closes the part that has been open for longest, of those where the user has spoken or not. */
  const closeOldest = (hasSpoken: boolean): OpenPart[] => {
    const oldest = [...open.values()].find(({ id }) => anchors.has(id) === hasSpoken);
    return oldest ? [close(oldest)] : [];
  };
  const put = (part: OpenPart, turn: ImportedTurn) => {
    const isAnchor = turn.isUser && !anchors.has(part.id);
    // In several requests the anchor has to come with the first. The server puts it where it belongs by time.
    if (isAnchor && isFull(sizeOf(part))) part.turns.unshift(turn);
    else part.turns.push(turn);
    part.characters += turn.text.length;
    if (isAnchor) anchors.set(part.id, turn);
  };

  return {
    anchorOf: (id) => anchors.get(id),
    add({ id, title, turn }) {
      const part = open.get(id) ?? { id, title, turns: [], characters: 0 };
      open.set(id, part);
      part.title ??= title;
      count(id, sizeOf(part), -1);
      put(part, turn);
      count(id, sizeOf(part), 1);
      if (anchors.has(id) && isFull(sizeOf(part))) return [close(part)];
      const closed: OpenPart[] = [];
      while (isFull(spoken, MOST_SPOKEN)) closed.push(...closeOldest(true));
      while (isFull(silent, MOST_SILENT)) closed.push(...closeOldest(false));
      return closed;
    },
    rest: () => [...open.values()].map(close),
  };
}
