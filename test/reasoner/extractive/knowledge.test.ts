import { describe, expect, it } from 'vitest';
import type { FactCategory } from '../../../src/domain/facts/fact.ts';
import { rateRetrieved } from '../../../src/reasoner/extractive/rate-retrieved.ts';
import { summarizeEpisodes } from '../../../src/reasoner/extractive/summarize-episodes.ts';
import { composeProfile } from '../../../src/reasoner/extractive/synthesize-profile.ts';
import { talk } from './talk.ts';

const episode = (summary: string, day: number) => ({
  title: 'Talk',
  summary,
  endedAt: new Date(Date.UTC(2025, 2, day)),
});
const SOMEBODY = { person: { name: null, timeZone: 'UTC' }, facts: [] };
const EPISODES = [
  episode('Maya moved to Bergen with her dog Pip. Maya asked about the ferry to Askøy.', 3),
  episode(
    "Maya works as a nurse at the children's hospital. The night shifts are hard for her.",
    5,
  ),
  episode(
    'Maya moved to Bergen with her dog Pip. Maya plans to learn Norwegian with Ingrid until June.',
    9,
  ),
  episode(
    'The user asked if there is parking at the hospital. The answer was that parking costs 30 kroner.',
    12,
  ),
];

describe('summarizeEpisodes', () => {
  it('a semantic memory is one narrative in the order of events without repetitions', () => {
    const { summary } = summarizeEpisodes({
      ...SOMEBODY,
      episodes: [...EPISODES].reverse(),
      existing: [],
    });
    expect(summary.match(/Maya moved to Bergen/g) ?? []).toHaveLength(1);
    const places = ['moved to Bergen', 'works as a nurse', 'learn Norwegian']
      .map((part) => summary.indexOf(part))
      .filter((place) => place >= 0);
    expect(places.length).toBeGreaterThanOrEqual(2);
    expect([...places].sort((a, b) => a - b)).toEqual(places);
  });

  it('a semantic memory does not repeat earlier summaries', () => {
    const { summary } = summarizeEpisodes({
      ...SOMEBODY,
      episodes: EPISODES,
      existing: ['Maya moved to Bergen with her dog Pip.'],
    });
    expect(summary).not.toContain('moved to Bergen');
  });

  it('a semantic memory leaves out a figure that a later episode corrects', () => {
    const { summary } = summarizeEpisodes({
      ...SOMEBODY,
      episodes: [
        episode("User: The board meeting is on Thursday 26th, it's settled.", 3),
        episode('User: The board meeting moved to Friday 27th.', 9),
      ],
      existing: [],
    });
    expect(summary).toContain('Friday 27th');
    expect(summary).not.toContain('26th');
  });

  it('a summary of episodes is not empty when earlier summaries say all of it', () => {
    const { summary } = summarizeEpisodes({
      ...SOMEBODY,
      episodes: EPISODES.slice(0, 1),
      existing: [EPISODES[0]?.summary ?? ''],
    });
    expect(summary).not.toBe('');
  });
});

describe('summarizeEpisodes, line by line', () => {
  const told = (summaries: string[], timeZone = 'UTC') => {
    const episodes = summaries.map((summary, i) => episode(summary, i + 3));
    const input = { person: { name: null, timeZone }, facts: [], episodes, existing: [] };
    return summarizeEpisodes(input).summary.split('\n');
  };

  it('a summary lists decisions and outcomes by day, word for word, without deliberations', () => {
    expect(
      told([
        'Maybe we could move the launch, or else drop the images. We decided to launch on the 23rd.',
        'The images went from 38 to 1.9 MB. Should I be worried about the fonts?',
        'Not sure whether Astro is the right choice.',
        'We signed the contract with the museum',
      ]),
    ).toEqual([
      '2025-03-03: We decided to launch on the 23rd.',
      '2025-03-04: The images went from 38 to 1.9 MB.',
      '2025-03-06: We signed the contract with the museum.',
    ]);
  });

  it.each([
    ['User: I accepted. The choir sings in Voss.', 'User: The choir sings in Voss.'],
    ['User: That worked. Ida has 12 hens.', 'User: Ida has 12 hens.'],
    ['User: The soup had leeks. Assistant: Poor Emil!', 'User: The soup had leeks.'],
    [
      'User: We decided on the blue tiles for 300 euros. My brother lost his job.',
      'User: My brother lost his job.',
    ],
    ['User: It rained. We decided on tea.', 'User: We decided on tea.'],
  ])('a line tells news first, and nothing that says nothing by itself: %s', (summary, line) => {
    const six = ['Pip', 'Rex', 'Leo', 'Mia', 'Tom'].map((name) => `${name} owns 9 acres of wood.`);
    expect(told([summary, ...six])[0]).toBe(`2025-03-03: ${line}`);
  });

  it('each line of a summary starts with the day in the time zone of the person, and keeps the name of the speaker', () => {
    expect(told(['Nils: I always work on Mondays.'], 'Pacific/Auckland')).toEqual([
      '2025-03-03: Nils: I always work on Mondays.',
    ]);
    expect(told(['We decided on tea.'], 'America/New_York')).toEqual([
      '2025-03-02: We decided on tea.',
    ]);
  });
});

describe('composeProfile', () => {
  const fact = (category: FactCategory, statement: string, key: string | null = null) => ({
    category,
    key,
    statement,
    validFrom: new Date('2026-03-01'),
  });
  const person = { name: 'Maya', timeZone: 'UTC' };

  it('a profile sorts current facts by subject, each statement once', () => {
    const profile = composeProfile({
      person,
      facts: [
        fact('INSTRUCTION', 'Keep it short.'),
        fact('PREFERENCE', 'keep it short'),
        fact('IDENTITY', 'The user works at Arup.', 'profile:employer'),
        fact('PERSONALITY', 'I work best in the morning'),
        fact('RELATIONSHIP', "The user's wife is Ana."),
        fact('CONSTRAINT', 'No grapefruit with it.'),
        fact('GOAL', 'The user wants to run a half marathon.'),
      ],
      memories: [
        { summary: '2026-03-02: User: We decided to use Astro. It rained.', endedAt: null },
        { summary: '2026-03-04: Nils: We decided to sell the van.', endedAt: null },
      ],
    });
    expect(profile).toEqual({
      communication: 'Keep it short.',
      technical: 'The user works at Arup.',
      workPattern: 'I work best in the morning.',
      personalContext:
        "People: The user's wife is Ana.\nHealth and limits: No grapefruit with it.\nGoals: The user wants to run a half marathon.",
      prose: [
        'How to work with them: Keep it short.',
        'Work and skills: The user works at Arup.',
        'Habits: I work best in the morning.',
        "People: The user's wife is Ana.",
        'Health and limits: No grapefruit with it.',
        'Goals: The user wants to run a half marathon.',
        'Latest decisions: 2026-03-02: We decided to use Astro.',
      ].join('\n'),
    });
  });

  it('a profile without facts and decisions is empty: no loose sentence of a memory', () => {
    const memories = [{ summary: 'The comet passed behind the ridge.', endedAt: null }];
    expect(composeProfile({ person, facts: [], memories })).toEqual({
      communication: '',
      technical: '',
      workPattern: '',
      personalContext: '',
      prose: '',
    });
  });

  it('a profile made of long statements only still has prose', () => {
    const long = `We went ${'on and on '.repeat(20)}along the river.`;
    const { prose } = composeProfile({ person, facts: [fact('GOAL', long)], memories: [] });
    expect(prose).toBe(long);
  });
});

describe('rateRetrieved', () => {
  it('rateRetrieved distinguishes memories that were built on from unused ones', async () => {
    const { ratings } = await rateRetrieved(
      {
        memories: [
          { text: 'Maya is allergic to peanuts.' },
          { text: 'Maya went to Lisbon in March with Tom.' },
          {
            text: 'Tom bakes rye bread in a cast-iron pot with a long rise and little yeast on Saturdays.',
          },
        ],
        turns: talk([
          'Maya: We want to stay in Lisbon again, at the hotel that Tom and I had in March.',
          'Tom: The one on Rua Augusta? Shall I book Lisbon for May, then?',
          'Maya: Yes. And bread for Saturday, please.',
        ]),
      },
      null,
    );
    expect(ratings[0]).toBe('AGAIN');
    expect(ratings[1]).toBe('EASY');
    expect(['AGAIN', 'HARD']).toContain(ratings[2]);
  });
});
