import { createHash } from 'node:crypto';
import type { ImportedTurn } from './conversation.ts';
import { isFull, type OpenPart } from './open-parts.ts';

/** Turns that are sent in one request. They belong to the same conversation, or all of them to none. */
export type Part = Pick<OpenPart, 'id' | 'title' | 'turns'> & {
  /** How many of the turns, the first ones, were sent before. */
  repeated: number;
};

/** The most turns of which is known that they were sent: equal ones have the same time, so they are mostly near each other. */
const MOST_KNOWN = 200_000;

/** Divides open parts into requests that the server can put together again. */
export type Requests = {
  /** @param anchor the user's first turn of the conversation */
  of(part: OpenPart, anchor: ImportedTurn | undefined): Generator<Part>;
};

/**
 * Each request repeats turns of earlier ones of its conversation. The anchor: by this turn, which it has already stored, the
 * server finds the thread that the request continues. And those that equal one of the request: the server counts equal turns
 * of a request to tell one that was said again from one that is sent again, so it counts as if all came in one.
 */
export function createRequests(): Requests {
  const sent = new Map<string, number>();
  const note = (key: string) => {
    const count = sent.get(key) ?? 0;
    sent.delete(key);
    sent.set(key, count + 1);
    const [oldest] = sent.size > MOST_KNOWN ? sent.keys() : [];
    if (oldest !== undefined) sent.delete(oldest);
  };
  return {
    *of({ id, title, turns }, anchor) {
      for (const own of cut(turns)) {
        const byKey = new Map(own.map((turn) => [keyOf(id, turn), turn]));
        const repeated = [...byKey].flatMap(([key, turn]) =>
          Array<ImportedTurn>(sent.get(key) ?? 0).fill(turn),
        );
        // Where time decides about threads, only the user is needed.
        const needsAnchor = id !== null || !own.some(({ isUser }) => isUser);
        if (needsAnchor && anchor && !byKey.has(keyOf(id, anchor))) repeated.push(anchor);
        for (const turn of own) note(keyOf(id, turn));
        yield { id, title, turns: [...repeated, ...own], repeated: repeated.length };
      }
    },
  };
}

/** What makes turns of a channel equal for the server. */
const keyOf = (id: string | null, { speaker, text, occurredAt }: ImportedTurn): string =>
  createHash('sha256')
    .update(JSON.stringify([id, speaker, occurredAt, text]))
    .digest('base64url')
    .slice(0, 22);

function* cut(turns: readonly ImportedTurn[]): Generator<ImportedTurn[]> {
  let own: ImportedTurn[] = [];
  let characters = 0;
  for (const turn of turns) {
    own.push(turn);
    characters += turn.text.length;
    if (!isFull({ turns: own.length, characters })) continue;
    yield own;
    own = [];
    characters = 0;
  }
  if (own.length > 0) yield own;
}
