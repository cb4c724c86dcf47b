import { createMemory } from '@mnemograph/client';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { expect, it } from 'vitest';
import { createTestServer, OPEN } from '../support/server.ts';

/** An MCP client of an open server, and the text and data of what its tools answer. */
async function connected(origin: string) {
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', origin)));
  const call = async (name: string, input: object) => {
    const result = await client.callTool({ name, arguments: { ...input } });
    const [{ text } = { text: '' }] = result.content as { text: string }[];
    return { text, data: result.structuredContent as Record<string, unknown> };
  };
  return { call, client, [Symbol.asyncDispose]: () => client.close() };
}

it('MCP tools show the key of a fact and whether it is negative, and search whole days', async () => {
  await using server = await createTestServer(OPEN);
  await using mcp = await connected(server.origin);
  const { call } = mcp;
  const tea = { value: 'tea', statement: 'drinks tea', key: 'preference:tea' };
  const { facts } = createMemory({ url: server.origin });
  await facts.record({ ...tea, category: 'PREFERENCE', polarity: 'NEGATIVE' });
  const known = await call('facts', {});
  expect(known.text).toContain('drinks tea (preference, negative, key preference:tea, from');
  expect(known.data.facts).toMatchObject([{ key: 'preference:tea', negative: true }]);

  await call('remember', { text: 'The boat is blue.', when: '2026-02-12T18:00:00Z' });
  await server.world.settle();
  const search = async (span: object) => {
    const input = { query: 'What is blue, the boat?', kinds: ['TURN'], ...span };
    return (await call('recall', input)).text;
  };
  expect(await search({ from: '2026-02-12', to: '2026-02-12' })).toContain('The boat');
  expect(await search({ to: '2026-02-11' })).not.toContain('The boat');
  expect(await search({ to: '2026-02-12T12:00:00Z' })).not.toContain('The boat');
  for (const to of ['2026-02-12 18:01Z', '2026-02-12T18:01:00+0000']) {
    expect(await search({ from: '2026-02-12 17:59Z', to })).toContain('The boat');
  }
  for (const to of ['5', '2026-02-12T25:00Z', '2026-02-30', 'yesterday']) {
    expect(await search({ to })).toContain('ISO 8601');
  }
});

it('MCP tools read and show days and times in the time zone of the user', async () => {
  await using server = await createTestServer(OPEN);
  await using mcp = await connected(server.origin);
  const { call, client } = mcp;
  const { request } = createMemory({ url: server.origin });
  // 13 hours before UTC in summer, 12 in winter.
  await request('mutation { configureUser(timeZone: "Pacific/Auckland") { __typename } }');
  const said = { text: 'The boat is blue.', when: '2026-02-12T09:30' };
  const { ids, thread } = (await call('remember', said)).data as { ids: string[]; thread: string };
  await server.world.settle();

  const opened = await call('open', { id: ids[0] });
  expect(opened.text).toContain('2026-02-12 09:30+13:00');
  expect(opened.data.turns).toMatchObject([{ when: '2026-02-11T20:30:00.000Z' }]);
  const uri = `memory://thread/${encodeURIComponent(thread)}`;
  const { contents } = await client.readResource({ uri });
  expect(JSON.stringify(contents)).toContain('2026-02-12 09:30+13:00');
  const { resources } = await client.listResources();
  expect(resources.map(({ title }) => title)).toContain('Thread, 2026-02-12');
  expect((await call('open', { id: thread })).text).toContain('2026-02-12 to 2026-02-12');

  const search = async (span: object) => {
    const input = { query: 'What is blue, the boat?', kinds: ['TURN'], ...span };
    return (await call('recall', input)).text;
  };
  const day = { from: '2026-02-12', to: '2026-02-12' };
  expect(await search(day)).toMatch(/1\. 2026-02-12 .*The boat/);
  expect(await search({ from: '2026-02-12 09:29', to: '2026-02-12 09:31' })).toContain('The boat');
  expect(await search({ from: '2026-02-11T20:29Z', to: '2026-02-12 09:31+13:00' })).toContain(
    'boat',
  );
  expect(await search({ to: '2026-02-11' })).not.toContain('The boat');

  const tea = { category: 'PREFERENCE', key: 'likes:tea' };
  // The clocks went back on 6 April 2025: its day had 25 hours.
  for (const [value, from, moment] of [
    ['green tea', '2025-04-06', '2025-04-05T11:00:00.000Z'],
    ['black tea', '2025-04-07', '2025-04-06T12:00:00.000Z'],
  ] as const) {
    const given = { ...tea, value, statement: `drinks ${value}`, valid_from: from };
    const recorded = await call('correct_fact', given);
    expect(recorded.text).toContain(`from ${from}`);
    expect(recorded.data.fact).toMatchObject({ from: moment });
  }
  expect((await call('facts', { key: 'likes:tea' })).text).toContain('from 2025-04-07)');
  const earlier = await call('facts', { key: 'likes:tea', at: '2025-04-06' });
  expect(earlier.text).toContain('from 2025-04-06 to 2025-04-07)');
});

it('the MCP tool `open` shows a turn of a long thread with at most 20 on each side, without reading the others', async () => {
  await using server = await createTestServer(OPEN);
  await using mcp = await connected(server.origin);
  const text = (number: number) => `Turn ${number}.`;
  const turns = Array.from({ length: 400 }, (_, index) => ({ text: text(index + 1) }));
  const stored = await createMemory({ url: server.origin }).remember({ channel: 'long', turns });
  const ids = stored.turns.map(({ turn }) => turn?.id);
  const open = async (number: number, neighbours: number) =>
    mcp.call('open', { id: ids[number - 1], neighbours });
  const shown = async (number: number, neighbours: number) => {
    const { turns } = (await open(number, neighbours)).data as { turns: { text: string }[] };
    return turns.map((turn) => turn.text);
  };
  const { statements } = server.world;
  statements.length = 0;
  expect(await shown(2, 3)).toEqual([1, 2, 3, 4, 5].map(text));
  const count = statements.length;
  statements.length = 0;
  expect(await shown(200, 1)).toEqual([199, 200, 201].map(text));
  expect(statements).toHaveLength(count);
  expect(await shown(400, 0)).toEqual([text(400)]);
  expect(await shown(200, 20)).toHaveLength(41);
  for (const neighbours of [21, -1, 1.5, 1e9]) {
    expect((await open(200, neighbours)).text).toContain('neighbours');
  }
});
