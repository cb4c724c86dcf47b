import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { splitText } from '../support/split-text.ts';
import { linesOf } from './lines.ts';
import { type Said, saidIn } from './said.ts';

/** A turn as it is sent. */
export type SpokenTurn = {
  role: Said['role'];
  text: string;
  idempotencyKey: string;
  occurredAt?: string;
};

/** A place in a transcript: a byte at which a line begins, and how many turns of that line come before the place. */
export type Place = { offset: number; parts: number };

/** Some turns of a transcript, oldest first, and the place after them. */
export type Piece = { turns: SpokenTurn[]; end: Place };

/** A piece has at most this many turns and characters, which in JSON are far below MAX_BODY_BYTES of the server. */
const FULL = { turns: 50, characters: 400_000 };

/**
 * Reads what was said in a transcript, in pieces.
 * @param from where to begin; a file that has become shorter is read from its beginning
 * @throws if the file cannot be read
 */
export async function* readTranscript(
  file: string,
  { from, session }: { from: Place; session: string },
): AsyncGenerator<Piece> {
  const { size } = await stat(file);
  let turns: SpokenTurn[] = [];
  let characters = 0;
  let end = from.offset <= size ? from : { offset: 0, parts: 0 };
  for await (const line of linesOf(file, end.offset)) {
    const said = saidIn(line.text);
    // An agent is still writing this line: the next run reads it.
    if (said === 'not JSON' && line.isOpen) break;
    const isSaid = said !== 'not JSON' && said !== null;
    const spoken = isSaid ? turnsFor(said, said.id ?? `${session}:${line.start}`) : [];
    for (const turn of spoken.slice(end.parts)) {
      if (turns.length === FULL.turns || characters + turn.text.length > FULL.characters) {
        yield { turns, end };
        turns = [];
        characters = 0;
      }
      turns.push(turn);
      characters += turn.text.length;
      end = { offset: line.start, parts: end.parts + 1 };
    }
    end = { offset: line.end, parts: 0 };
  }
  yield { turns, end };
}

/**
 * The turns for something that was said: one, or several if it is too long. Their keys follow from it alone, so the
 * same words of the same message are stored once, however often and from whatever place they are read.
 * @param id names the message
 */
export function turnsFor({ role, text, at }: Said, id: string): SpokenTurn[] {
  const occurredAt = momentOf(at);
  return splitText(text).map((part, index) => ({
    role,
    text: part,
    idempotencyKey: `hook:${hash([id, role, String(index), part])}`,
    ...(occurredAt ? { occurredAt } : {}),
  }));
}

/** A time that a turn can have; null if there is none. A clock that is ahead must not make a turn of the future. */
function momentOf(at: string | null): string | null {
  const time = at === null ? Number.NaN : Date.parse(at);
  return Number.isNaN(time) || time < 0 ? null : new Date(Math.min(time, Date.now())).toISOString();
}

/** A short name for some texts together. */
export const hash = (texts: readonly string[]): string =>
  createHash('sha256').update(JSON.stringify(texts)).digest('hex').slice(0, 32);
