import type { Batch, Client } from './embedded-client.ts';
import * as wire from './embedded-messages.ts';

/** A statement that a batch prepares for the first time; `place` is the number of the batch's Parse messages before its own. */
type Preparing = { place: number; name: string; key: string; statement: string };

/**
 * Creates the prepared statements of the session. Clients that prepare the same text under the same name share one, which
 * is parsed once and keeps its plan. They are never closed: the clients are of this process, whose statements have fixed names.
 */
export function createStatements() {
  /** The names that the session knows, by the name and text of the client. */
  const prepared = new Map<string, string>();
  let last = 0;

  /** Returns the batch as the session gets it. `settle` must be called with the answer. */
  function translate(client: Client, batch: Batch) {
    const preparing: Preparing[] = [];
    let parses = 0;
    const parse = (message: wire.Message, name: string): Buffer => {
      const key = message.bytes.toString('latin1', wire.HEADER);
      const known = prepared.get(key);
      if (!known) last += 1;
      const statement = known ?? `s${last}`;
      client.statements.set(name, statement);
      if (known) return wire.parseNothing();
      preparing.push({ place: parses, name, key, statement });
      return wire.renameStatement(message, statement);
    };
    const translated = batch.map((message) => {
      const name = wire.statementName(message);
      const isParse = message.type === 'P';
      let { bytes } = message;
      if (name && isParse) bytes = parse(message, name);
      else if (name) bytes = wire.renameStatement(message, nameFor(client, message, name));
      if (isParse) parses += 1;
      return bytes;
    });
    return { bytes: Buffer.concat(translated), preparing };
  }

  /** Keeps the statements that were prepared, as far as the session's answer says so. */
  function settle(client: Client, preparing: readonly Preparing[], reply: Buffer): void {
    if (preparing.length === 0) return;
    const parsed = wire.countParsed(reply);
    for (const { place, name, key, statement } of preparing) {
      if (place < parsed) prepared.set(key, statement);
      else client.statements.delete(name);
    }
  }

  return { translate, settle };
}

/**
 * The session's name for a statement of a client. One that the client closes stays for others, and one that it has not
 * prepared gets a name that none has.
 */
function nameFor(client: Client, message: wire.Message, name: string): string {
  const statement = client.statements.get(name);
  if (message.type === 'C') client.statements.delete(name);
  return statement && message.type !== 'C' ? statement : `unknown: ${name}`;
}
