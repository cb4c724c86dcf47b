import type { Batch, Client } from './embedded-client.ts';
import * as wire from './embedded-messages.ts';

/** Up to this many prepared statements are kept that no connected client has prepared. */
const MOST_UNUSED = 1_000;

/** Statements that a batch prepares for the first time, by the number of the batch's Parse messages before theirs. */
type Preparing = Map<number, { statement: string; client: Client; name: string; key: string }>;

/** Creates the prepared statements of the session. Clients that prepare the same text under the same name share it. */
export function createStatements() {
  /** The names that the session knows, by the name and text of the client. */
  const prepared = new Map<string, string>();
  let last = 0;

  /** Returns the batch as the session gets it. `settle` must be called with the answer. */
  function translate(client: Client, batch: Batch) {
    const preparing: Preparing = new Map();
    let parses = 0;
    const prepare = (message: wire.Message, name: string): Buffer => {
      const key = message.bytes.toString('latin1', wire.HEADER);
      const known = prepared.get(key);
      if (known) {
        client.statements.set(name, known);
        return wire.parseNothing();
      }
      last += 1;
      const statement = `s${last}`;
      client.statements.set(name, statement);
      preparing.set(parses, { statement, client, name, key });
      return wire.renameStatement(message, statement);
    };
    const translated = batch.messages.map((message) => {
      const name = wire.statementName(message);
      const isParse = message.type === 'P';
      const bytes = !name
        ? message.bytes
        : isParse
          ? prepare(message, name)
          : wire.renameStatement(message, nameFor(client, message, name));
      if (isParse) parses += 1;
      return bytes;
    });
    return { bytes: Buffer.concat(translated), preparing };
  }

  /** Remembers the statements that were prepared, as far as the session's answer says so. */
  function settle(preparing: Preparing, reply: Buffer): void {
    if (preparing.size === 0) return;
    const parsed = wire.countParsed(reply);
    for (const [place, { statement, client, name, key }] of preparing) {
      if (place < parsed) prepared.set(key, statement);
      else client.statements.delete(name);
    }
  }

  /** Takes those out that none of the clients has prepared, if they are many. @returns their names in the session */
  function takeUnused(clients: Iterable<Client>): string[] {
    const used = new Set([...clients].flatMap(({ statements }) => [...statements.values()]));
    const unused = [...prepared].filter(([, statement]) => !used.has(statement));
    if (unused.length <= MOST_UNUSED) return [];
    for (const [key] of unused) prepared.delete(key);
    return unused.map(([, statement]) => statement);
  }

  return { translate, settle, takeUnused };
}

/** The session's name for a statement of a client. A statement that is closed stays for others: the client loses its name only. */
function nameFor(client: Client, message: wire.Message, name: string): string {
  const statement = client.statements.get(name) ?? 'unknown';
  if (message.type !== 'C') return statement;
  client.statements.delete(name);
  return 'unknown';
}
