import { describe, expect, it } from 'vitest';
import { compact } from '../../../src/reasoner/extractive/compact.ts';
import { talk } from './talk.ts';

const CACHE = [
  'user: How do I clear the build cache of the docs site? The preview shows old pages.',
  'assistant: Do this:\n1. Stop the preview server.\n2. Delete the folder .cache.\n3. Start the preview with --fresh.',
  'user: Done, it works now!',
];

describe('compact', () => {
  it('a thread is summarised in one to three sentences and in a paragraph', () => {
    const turns = talk([
      'Maya: We adopted a dog from the shelter in Voss last Friday. Her name is Pip and she is 3 years old.',
      'Tom: How lovely! Does she get along with your cat?',
      'Maya: Not yet. The cat sleeps on the wardrobe and Pip waits below for hours.',
      'Tom: You should feed them at the same time, with a door between them. That helped with our two in 2019.',
      'Maya: Good idea, I will try that tomorrow. The vet wants to see Pip on 9 April because of her left ear.',
      'Tom: Which vet do you go to?',
      'Maya: Dr. Solberg in the old harbour, she also treats horses.',
    ]);
    const { micro, meso, skills } = compact({ turns });
    expect(micro?.split(/(?<=[.!?]) (?=\p{Lu})/u).length).toBeLessThanOrEqual(3);
    expect(meso?.length).toBeGreaterThan(micro?.length ?? 0);
    expect(meso).toContain('Pip');
    expect(skills).toEqual([]);
  });

  it('a macro summary names recurring subjects and habits', () => {
    const turns = talk([
      'user: My sourdough starter smells of vinegar. I usually feed it on Sundays.',
      'assistant: Feed the starter more often, twice a week.',
      'user: The starter doubled overnight after I used rye.',
      'assistant: Rye wakes a starter up.',
      'user: Can I freeze the starter when I travel?',
      'assistant: You can dry some of the starter instead.',
    ]);
    const { macro } = compact({ turns });
    expect(macro).toMatch(/^Recurring topics: .*starter/);
    expect(macro).toContain('User: I usually feed it on Sundays.');
  });

  it('a macro summary has no pattern where nothing recurs', () => {
    const turns = talk([
      'user: The kettle broke.',
      'assistant: Descale it with vinegar.',
      'user: Also, when does the museum open?',
    ]);
    expect(compact({ turns }).macro).toBe('');
  });
});

describe('skills', () => {
  it('steps become a skill when the user said that they worked', () => {
    const { skills } = compact({ turns: talk(CACHE) });
    expect(skills).toEqual([
      {
        name: 'Clear build cache of docs site',
        description:
          'To clear the build cache of the docs site: 1) Stop the preview server; 2) Delete the folder .cache; 3) Start the preview with --fresh.',
        evidence: [0, 1, 2],
      },
    ]);
  });

  it.each([
    ['nobody confirmed', [...CACHE.slice(0, 2), 'user: Thanks, will try.']],
    ['failed', [...CACHE.slice(0, 2), "user: It doesn't work."]],
    ['were asked about', [...CACHE.slice(0, 2), 'user: Is that how it works?']],
  ])('steps that %s do not become a skill', (_why, lines) => {
    expect(compact({ turns: talk(lines) }).skills).toEqual([]);
  });

  it('a permanent rule of the user becomes a skill', () => {
    const turns = talk([
      'user: From now on, when the nightly build hangs, always restart the runner first and then look at the logs.',
    ]);
    const { skills } = compact({ turns });
    expect(skills.map(({ evidence }) => evidence)).toEqual([[0]]);
    expect(skills[0]?.description).toContain('restart the runner first');
    expect(skills[0]?.name.split(' ').length).toBeLessThanOrEqual(6);
  });

  it.each([
    'When I got home, the cat was asleep on the stove.',
    'If it rains tomorrow, we stay in.',
    'Before we leave, can you water the plants?',
  ])('a sentence that states no rule does not become a skill: %j', (text) => {
    expect(compact({ turns: talk([`user: ${text}`]) }).skills).toEqual([]);
  });
});
