/** A message of PostgreSQL's wire protocol: its type letter and all its bytes. */
export type Message = { type: string; bytes: Buffer };

/** The bytes of a message before its body. */
export const HEADER = 5;
const OPENING_HEADER = 8;
const SSL_REQUEST = 80_877_103;
const GSS_REQUEST = 80_877_104;
const CANCEL_REQUEST = 80_877_102;

/**
 * Creates a function that cuts one client's byte stream into whole messages. Opening messages have no type letter; their
 * type is `startup`, `encryption` (a request for SSL or GSS) or `cancel`.
 */
export function createFramer(): (chunk: Buffer) => Message[] {
  let chunks: Buffer[] = [];
  let size = 0;
  let wanted = OPENING_HEADER;
  let started = false;

  /** Returns the first message of a buffer, or null if it is incomplete. Sets `wanted` to the number of bytes it needs. */
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
    chunks.push(chunk);
    size += chunk.length;
    // Join the chunks only when a message is complete: a large parameter arrives in many chunks.
    if (size < wanted) return [];
    let buffer = Buffer.concat(chunks);
    const messages: Message[] = [];
    for (let message = cut(buffer); message; message = cut(buffer)) {
      messages.push(message);
      buffer = buffer.subarray(message.bytes.length);
    }
    chunks = [buffer];
    size = buffer.length;
    return messages;
  };
}

function openingType(bytes: Buffer): string {
  const code = bytes.readUInt32BE(4);
  if (code === SSL_REQUEST || code === GSS_REQUEST) return 'encryption';
  return code === CANCEL_REQUEST ? 'cancel' : 'startup';
}

/** Returns where a message names a prepared statement, as start and end of the name; null if it names none. */
function placeOfName({ type, bytes }: Message): [start: number, end: number] | null {
  if (type === 'P') return [HEADER, bytes.indexOf(0, HEADER)];
  if (type === 'B') {
    const start = bytes.indexOf(0, HEADER) + 1;
    return [start, bytes.indexOf(0, start)];
  }
  const isAboutStatement = (type === 'D' || type === 'C') && bytes[HEADER] === 0x53;
  return isAboutStatement ? [HEADER + 1, bytes.indexOf(0, HEADER + 1)] : null;
}

/** Returns the name of the prepared statement in a message; empty for the unnamed one, and if it names none. */
export function statementName(message: Message): string {
  const place = placeOfName(message);
  return place ? message.bytes.toString('utf8', ...place) : '';
}

/** Returns the message with another name for its prepared statement. */
export function renameStatement(message: Message, name: string): Buffer {
  const { bytes } = message;
  const [start, end] = placeOfName(message) ?? [HEADER, HEADER];
  const renamed = Buffer.concat([bytes.subarray(0, start), Buffer.from(name), bytes.subarray(end)]);
  renamed.writeUInt32BE(renamed.length - 1, 1);
  return renamed;
}

/** Builds a message from its type letter and its body. */
function message(type: string, body: string): Buffer {
  const bytes = Buffer.from(`${type}0000${body}`);
  bytes.writeUInt32BE(bytes.length - 1, 1);
  return bytes;
}

/** Builds a Sync, which ends a batch of the extended protocol. */
export const sync = (): Buffer => message('S', '');
/** Builds a simple query. */
export const query = (sql: string): Buffer => message('Q', `${sql}\0`);
/** Builds a Parse of an empty text: it has the answer of a Parse, and only ends the unnamed statement. */
export const parseNothing = (): Buffer => message('P', '\0\0\0\0');
/** Builds the start-up message: protocol version 3.0, user and database postgres. */
export const startup = (): Buffer => {
  const bytes = Buffer.from('00000000user\0postgres\0database\0postgres\0\0');
  bytes.writeUInt32BE(bytes.length, 0);
  bytes.writeUInt32BE(0x30000, 4);
  return bytes;
};
/** Builds an error that ends the connection. */
export const fatal = (code: string, text: string): Buffer =>
  message('E', `SFATAL\0VFATAL\0C${code}\0M${text}\0\0`);

/** The worker's exit code after a PANIC of PostgreSQL. What was committed is in the data folder. */
export const PANICKED = 53;
/** Whether a reply reports a PANIC, such as a failed write of the log. The text of a row cannot be mistaken for it: it has no zero byte. */
export const isPanic = (reply: Buffer): boolean => reply.includes('\0VPANIC\0');

/** Splits a reply into notifications (with their channel) and everything else. */
export function takeNotifications(reply: Buffer): {
  rest: Buffer;
  notifications: { channel: string; bytes: Buffer }[];
} {
  const rest: Buffer[] = [];
  const notifications: { channel: string; bytes: Buffer }[] = [];
  for (const bytes of messagesOf(reply)) {
    if (bytes[0] === 0x41) {
      notifications.push({ channel: bytes.toString('utf8', 9, bytes.indexOf(0, 9)), bytes });
    } else rest.push(bytes);
  }
  return { rest: notifications.length ? Buffer.concat(rest) : reply, notifications };
}

/** Counts the Parse messages that a reply confirms. */
export function countParsed(reply: Buffer): number {
  let count = 0;
  for (const bytes of messagesOf(reply)) if (bytes[0] === 0x31) count += 1;
  return count;
}

/** Returns the messages of a reply, one after the other. */
function* messagesOf(reply: Buffer): Generator<Buffer> {
  for (let at = 0; at < reply.length; ) {
    const end = at + 1 + reply.readUInt32BE(at + 1);
    yield reply.subarray(at, end);
    at = end;
  }
}
