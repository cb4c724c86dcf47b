/** A message of PostgreSQL's wire protocol: its type letter and all its bytes. */
export type Message = { type: string; bytes: Buffer };

const HEADER = 5;
const OPENING_HEADER = 8;
const SSL_REQUEST = 80_877_103;
const GSS_REQUEST = 80_877_104;
const CANCEL_REQUEST = 80_877_102;

/**
 * Cuts one client's byte stream into whole messages. The opening messages, which have no type
 * letter, come out as `startup`, `encryption` (SSL or GSS asked for) or `cancel`.
 */
export function createFramer(): (chunk: Buffer) => Message[] {
  let held: Buffer[] = [];
  let size = 0;
  let wanted = OPENING_HEADER;
  let started = false;

  /** The first message of a buffer, or null, with `wanted` set to the bytes it takes. */
  function cut(buffer: Buffer): Message | null {
    wanted = started ? HEADER : OPENING_HEADER;
    if (buffer.length < wanted) return null;
    wanted = started ? 1 + buffer.readUInt32BE(1) : buffer.readUInt32BE(0);
    if (buffer.length < wanted) return null;
    const bytes = buffer.subarray(0, wanted);
    const type = started ? String.fromCharCode(bytes.readUInt8(0)) : openingType(bytes);
    started ||= type === 'startup';
    return { type, bytes };
  }

  return (chunk) => {
    held.push(chunk);
    size += chunk.length;
    // Joined only when a whole message is there: a large parameter comes in many chunks.
    if (size < wanted) return [];
    let buffer = Buffer.concat(held);
    const messages: Message[] = [];
    for (let message = cut(buffer); message; message = cut(buffer)) {
      messages.push(message);
      buffer = buffer.subarray(message.bytes.length);
    }
    held = [buffer];
    size = buffer.length;
    return messages;
  };
}

function openingType(bytes: Buffer): string {
  const code = bytes.readUInt32BE(4);
  if (code === SSL_REQUEST || code === GSS_REQUEST) return 'encryption';
  return code === CANCEL_REQUEST ? 'cancel' : 'startup';
}

/** Where a message names a prepared statement: its first byte and the position of the end. */
function statementName({ type, bytes }: Message): [start: number, end: number] | null {
  if (type === 'P') return [5, bytes.indexOf(0, 5)];
  if (type === 'B') {
    const start = bytes.indexOf(0, 5) + 1;
    return [start, bytes.indexOf(0, start)];
  }
  const aboutStatement = (type === 'D' || type === 'C') && bytes[5] === 0x53;
  return aboutStatement ? [6, bytes.indexOf(0, 6)] : null;
}

/**
 * The message with `prefix` before the statement it names, and the new name; unchanged and null
 * for the unnamed statement or none.
 */
export function prefixStatement(message: Message, prefix: string): [Buffer, string | null] {
  const { bytes } = message;
  const place = statementName(message);
  if (!place || place[0] === place[1]) return [bytes, null];
  const added = Buffer.from(prefix);
  const renamed = Buffer.concat([bytes.subarray(0, place[0]), added, bytes.subarray(place[0])]);
  renamed.writeUInt32BE(renamed.length - 1, 1);
  return [renamed, renamed.toString('utf8', place[0], place[1] + added.length)];
}

/** A message from its type letter and its body. */
function message(type: string, body: string): Buffer {
  const bytes = Buffer.from(`${type}0000${body}`);
  bytes.writeUInt32BE(bytes.length - 1, 1);
  return bytes;
}

export const sync = (): Buffer => message('S', '');
export const query = (sql: string): Buffer => message('Q', `${sql}\0`);
export const closeStatement = (name: string): Buffer => message('C', `S${name}\0`);
/** Version 3.0, user and database postgres. */
export const startup = (): Buffer => {
  const bytes = Buffer.from('00000000user\0postgres\0database\0postgres\0\0');
  bytes.writeUInt32BE(bytes.length, 0);
  bytes.writeUInt32BE(0x30000, 4);
  return bytes;
};
/** An error that ends the connection. */
export const fatal = (code: string, text: string): Buffer =>
  message('E', `SFATAL\0VFATAL\0C${code}\0M${text}\0\0`);

/** The code that the worker ends with when PostgreSQL gave up: what was committed is in its folder. */
export const PANICKED = 53;
/** Whether PostgreSQL gave up: it could not write what it must. No text of a row holds a zero byte. */
export const isPanic = (reply: Buffer): boolean => reply.includes('\0VPANIC\0');

/** Splits a reply into notifications (with their channel) and everything else. */
export function takeNotifications(reply: Buffer): {
  rest: Buffer;
  notifications: { channel: string; bytes: Buffer }[];
} {
  const rest: Buffer[] = [];
  const notifications: { channel: string; bytes: Buffer }[] = [];
  for (let at = 0; at < reply.length; ) {
    const end = at + 1 + reply.readUInt32BE(at + 1);
    const bytes = reply.subarray(at, end);
    if (bytes[0] === 0x41) {
      notifications.push({ channel: bytes.toString('utf8', 9, bytes.indexOf(0, 9)), bytes });
    } else rest.push(bytes);
    at = end;
  }
  return { rest: notifications.length ? Buffer.concat(rest) : reply, notifications };
}
