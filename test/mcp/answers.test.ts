import { createMemory } from '@mnemograph/client';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { expect, it } from 'vitest';
import { createTestServer, OPEN } from '../support/server.ts';

it('MCP tools show the key of a fact and whether it is negative, and search whole days', async () => {
  await using server = await createTestServer(OPEN);
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', server.origin)));
  const call = async (name: string, input: object) => {
    const result = await client.callTool({ name, arguments: { ...input } });
    const [{ text } = { text: '' }] = result.content as { text: string }[];
    return { text, data: result.structuredContent as Record<string, unknown> };
  };
  try {
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
  } finally {
    await client.close();
  }
});
