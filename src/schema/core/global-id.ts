import { InvalidInput } from '../../domain/core/errors.ts';

type Key = string | number;

const CONTROL = /\p{Cc}/u;
const NUMBER = /^\d{1,9}$/;

/** What a node's id names: its type, and the fields of its key. */
export type NodeName = { typename: string; id: string; key: Key[] };

/**
 * Reads a node's id. Of several fields of a key the last is a number that the database can hold;
 * none holds a control character. Null when it is no id.
 */
export function readGlobalId(globalId: string): NodeName | null {
  const text = Buffer.from(globalId, 'base64').toString();
  const colon = text.indexOf(':');
  const typename = text.slice(0, colon);
  const id = text.slice(colon + 1);
  const key = colon > 0 ? keyOf(typename, id) : null;
  return key && { typename, id, key };
}

/** The same for `node` and `nodes`. @throws InvalidInput when it is no id */
export function decodeGlobalId(globalId: string): NodeName {
  const named = readGlobalId(globalId);
  if (named) return named;
  throw new InvalidInput([{ path: 'id', message: `"${globalId}" is not a global id` }]);
}

/** A user's key is its name as it stands, which may well look like a list. */
function keyOf(typename: string, id: string): Key[] | null {
  const key = typename === 'User' ? [id] : parseList(id);
  return key?.every(isPart) && (key.length === 1 || NUMBER.test(String(key.at(-1)))) ? key : null;
}

const isPart = (part: unknown): part is Key =>
  (typeof part === 'string' || typeof part === 'number') && !CONTROL.test(String(part));

function parseList(text: string): unknown[] | null {
  try {
    const parts: unknown = JSON.parse(text);
    return Array.isArray(parts) && parts.length > 1 ? parts : null;
  } catch {
    return null;
  }
}
