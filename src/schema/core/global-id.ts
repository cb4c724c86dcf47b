import { InvalidInput } from '../../domain/core/errors.ts';

type Key = string | number;

const CONTROL = /\p{Cc}/u;
const NUMBER = /^\d{1,9}$/;

/** A parsed global id: the type of the node, and the fields of its key. */
export type NodeName = { typename: string; id: string; key: Key[] };

/**
 * Parses a global id. Returns null if it is malformed: if a field of the key contains a control character, or if one that
 * must be a number is none that the database can hold.
 */
export function readGlobalId(globalId: string): NodeName | null {
  const text = Buffer.from(globalId, 'base64').toString();
  const colon = text.indexOf(':');
  const typename = text.slice(0, colon);
  const id = text.slice(colon + 1);
  const key = colon > 0 ? keyOf(typename, id) : null;
  return key && { typename, id, key };
}

/** Parses the global id that `node` or `nodes` received. @throws InvalidInput if it is malformed */
export function decodeGlobalId(globalId: string): NodeName {
  const parsed = readGlobalId(globalId);
  if (parsed) return parsed;
  throw new InvalidInput([{ path: 'id', message: `"${globalId}" is not a global id` }]);
}

/** The global id of a user's node, as `id` of that node shows it. A skill has two numbers: of its episode, and its own. */
export const globalIdOf = (typename: string, userId: string, id: number | number[]): string =>
  Buffer.from(`${typename}:${JSON.stringify([userId, ...[id].flat().map(String)])}`).toString(
    'base64',
  );

/**
 * The key of a user is the plain name, which may look like a JSON list. All other keys are JSON lists: of the user's name,
 * of a step if it is a job's, and of numbers.
 */
function keyOf(typename: string, id: string): Key[] | null {
  const key = typename === 'User' ? [id] : parseList(id);
  if (!key?.every(isPart)) return null;
  const numbers = key.slice(typename === 'Job' ? 2 : 1);
  return numbers.every((part) => NUMBER.test(String(part))) ? key : null;
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
