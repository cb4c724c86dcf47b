import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contextOf } from '../support/context.ts';
import { say } from '../support/samples/conversation.ts';
import { type Client, createWorld, type World } from '../support/world.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world[Symbol.asyncDispose]());

/** Says lines in turn from a time of 2 March 2026 on, and works through them. */
async function tell(client: Client, channel: string, time: string, lines: readonly string[]) {
  const from = Date.parse(`2026-03-02T${time}:00Z`);
  const turns = lines.map((text, index) => ({
    text,
    role: index % 2 ? ('ASSISTANT' as const) : ('USER' as const),
    occurredAt: new Date(from + index * 60_000).toISOString(),
  }));
  world.now = new Date(from + lines.length * 60_000);
  const [first] = await say(client, { channel, turns });
  await world.settle();
  return first?.thread.id ?? '';
}

/** A permit in the morning, a tooth in the afternoon. */
async function permitAndTooth(userId: string) {
  const client = await world.user(userId);
  const permit = await tell(client, 'sms', '09:00', [
    'Which papers do I need for my residence permit in Lisbon?',
    'For the residence permit: passport, proof of income and the rental contract.',
    'And does the residence permit cost anything?',
    'The residence permit costs 90 euros.',
  ]);
  const tooth = await tell(client, 'whatsapp', '15:00', [
    'My tooth hurts since the cavity was filled, is that normal?',
    'A filled cavity may hurt for two or three days.',
  ]);
  world.now = new Date('2026-03-02T16:10:00Z');
  await world.settle();
  return { client, permit, tooth };
}

describe('continuity names the thread that the message goes on from', () => {
  it('continuity names the thread that the message names rather than the latest', async () => {
    const { client, permit } = await permitAndTooth('alike');
    const message = 'About the residence permit again, do they take cash?';
    const { continuity, related } = await contextOf(client, { channel: 'sms', message });
    expect(related[0]?.thread?.id).toBe(permit);
    expect(continuity?.line).toMatch(/permit/i);
    expect(continuity?.pause).toBe('Continuing from previous thread after 7 h break');
  });

  it('continuity names the latest thread if the message names none', async () => {
    const { client, tooth } = await permitAndTooth('ellipsis');
    const message = 'Oh, and what about it at night?';
    const { related } = await contextOf(client, { channel: 'sms', message });
    expect(related[0]?.thread?.id).toBe(tooth);
  });

  it('continuity names no thread if the message continues nothing', async () => {
    const { client } = await permitAndTooth('nothing');
    const message = 'Write me a limerick about staplers.';
    const { continuity, related } = await contextOf(client, { channel: 'sms', message });
    expect([continuity, related]).toEqual([null, []]);
  });

  it('continuity names the linked thread, even if the latest thread is linked with another', async () => {
    const { client, permit } = await permitAndTooth('linked');
    await tell(client, 'sms', '15:35', [
      'The filled cavity and my tooth again, may I eat?',
      'Yes, on the other side.',
    ]);
    world.now = new Date('2026-03-02T16:10:00Z');
    await world.settle();
    const message = 'About the residence permit again, do they take cash?';
    await tell(client, 'sms', '16:10', [message]);
    const { continuity, related } = await contextOf(client, { channel: 'sms', message });
    expect(related[0]).toMatchObject({ linked: true, thread: { id: permit } });
    expect(continuity?.line).toMatch(/permit/i);
  });
});

it('a message that continues nothing finds the turns of a linked thread', async () => {
  const { client, permit } = await permitAndTooth('linked-found');
  await tell(client, 'sms', '16:10', [
    'About the residence permit again, do they take cash?',
    'Yes, the residence permit can be paid in cash.',
  ]);
  const message = 'Write a list of the papers for my residence permit in Lisbon.';
  const { continuity, related, markdown } = await contextOf(client, { channel: 'sms', message });
  expect(continuity).toBeNull();
  expect(related[0]).toMatchObject({ linked: true, thread: { id: permit } });
  expect(markdown).toContain('proof of income and the rental contract');
});

it('a block repeats nothing of a linked thread, the common summary and their episodes', async () => {
  const client = await world.user('once');
  const lines = [
    'The flat viewing at Rua das Flores 18 is on Friday at ten.',
    'The flat viewing at Rua das Flores 18, Friday at ten, noted.',
    'The flat at Rua das Flores 18 has 82 m² and costs 950 euros a month.',
    'For the flat at Rua das Flores 18 that is 11.60 euros per m².',
  ];
  await tell(client, 'sms', '09:00', lines);
  await tell(client, 'sms', '10:00', [
    'About the flat viewing at Rua das Flores 18 again: who holds the keys?',
    'Carla holds the keys of the flat at Rua das Flores 18.',
  ]);
  world.now = new Date('2026-03-02T12:00:00Z');
  await world.settle();
  const message = 'And what does the flat at Rua das Flores 18 cost again?';
  const { markdown } = await contextOf(client, { channel: 'whatsapp', message });
  const [, recent = ''] = markdown.split('## Recent Context');
  const summaries = recent.split('##')[0] ?? '';
  for (const line of lines) expect(summaries.split(line).length).toBeLessThanOrEqual(2);
  const told = summaries.split('\n').filter((line) => line.startsWith('- '));
  expect(told.length).toBeGreaterThan(0);
});
