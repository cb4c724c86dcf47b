import type { Address } from '../../app/address.ts';
import { parseSearch, stringifySearch } from '../../app/address.ts';
import type { MemoryKind, RecallInput } from '../../generated/graphql.ts';

/** The parameters of the address that make a run: a query with its filters. */
const NAMES = ['q', 'kind', 'channel', 'speaker', 'from', 'to', 'at', 'first', 'tokens', 'intent'];

/** A query with its filters, as the address holds it. */
export type Run = Address;

/** The run that an address names. */
export const runOf = (address: Address): Run =>
  Object.fromEntries(NAMES.flatMap((name) => (address[name] ? [[name, address[name]]] : [])));

/** A run as one parameter of the address, so that another can be compared with it. */
export const heldOf = (run: Run): string => stringifySearch(run).slice(1);

/** The run that was held. */
export const readHeld = (held: string): Run => runOf(parseSearch(held));

/** The input of `recall` for a run. It is always a trial: looking changes nothing. */
export function inputOf({ q = '', ...run }: Run, userId: string): RecallInput {
  const intents: Record<string, boolean> = { recall: true, ordinary: false };
  return {
    userId,
    query: q,
    dryRun: true,
    first: number(run.first) ?? 10,
    ...(run.kind && { kinds: [run.kind as MemoryKind] }),
    ...(run.channel && { channels: [run.channel] }),
    ...(run.speaker && { speakers: [run.speaker] }),
    ...(run.from && { from: run.from }),
    ...(run.to && { to: run.to }),
    ...(run.at && { asOf: run.at }),
    ...(run.intent && { recallIntent: intents[run.intent] ?? null }),
    ...(number(run.tokens) && { maxTokens: number(run.tokens) }),
  };
}

function number(text: string | undefined): number | undefined {
  const value = Number(text);
  return text && Number.isInteger(value) ? value : undefined;
}

/** A run as an operation of the graph, which can be run as it stands. */
export const asGraphQL = (run: Run, userId: string): string => `query Recall {
  recall(input: { ${literalOf(inputOf(run, userId))} }) {
    ... on RecallPayload {
      markdown
      hits { rank score kind ... on TurnHit { turn { text occurredAt } } }
    }
    ... on Error { code message }
  }
}
`;

/** An input as the graph writes it: names without quotes, and the kinds as names, too. */
const literalOf = (input: RecallInput): string =>
  Object.entries(input)
    .map(([name, value]) => {
      const text = JSON.stringify(value);
      return `${name}: ${name === 'kinds' ? text.replaceAll('"', '') : text}`;
    })
    .join(', ');

/** A run as code that uses the client. */
export function asTypeScript(run: Run, userId: string, url: string): string {
  const { query, userId: _user, ...options } = inputOf(run, userId);
  return `import { createMemory } from '@mnemograph/client';

const memory = createMemory({ url: ${JSON.stringify(url)}, apiKey: process.env.MNEMOGRAPH_API_KEY });
const { hits, markdown } = await memory.as(${JSON.stringify(userId)}).recall(
  ${JSON.stringify(query)},
  ${JSON.stringify(options, null, 2).replaceAll('\n', '\n  ')},
);
`;
}
