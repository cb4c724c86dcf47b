import { CursorInvalid } from './errors.ts';

/** Encodes a place in a user's event log as a cursor, opaque to callers. */
export function encodeCursor(userId: string, number: number): string {
  return Buffer.from(`event:${number}:${userId}`).toString('base64url');
}

/** Decodes a cursor to an event's number. @throws CursorInvalid if it is not a cursor of this user */
export function decodeCursor(userId: string, cursor: string): number {
  const text = Buffer.from(cursor, 'base64url').toString();
  const match = /^event:(\d{1,9}):(.*)$/su.exec(text);
  if (!match || match[2] !== userId) throw new CursorInvalid();
  return Number(match[1]);
}
