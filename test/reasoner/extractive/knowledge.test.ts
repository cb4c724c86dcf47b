import { describe, expect, it } from 'vitest';
import { rateRetrieved } from '../../../src/reasoner/extractive/rate-retrieved.ts';
import { summarizeEpisodes } from '../../../src/reasoner/extractive/summarize-episodes.ts';
import { synthesizeProfile } from '../../../src/reasoner/extractive/synthesize-profile.ts';
import { talk } from './talk.ts';

const episode = (summary: string, day: number) => ({
  title: 'Talk',
  summary,
  endedAt: new Date(Date.UTC(2025, 2, day)),
});
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
  it('is one narrative in the order of events that says nothing twice', async () => {
    const { summary } = await summarizeEpisodes(
      { episodes: [...EPISODES].reverse(), existing: [] },
      null,
    );
    expect(summary.match(/Maya moved to Bergen/g) ?? []).toHaveLength(1);
    const places = ['moved to Bergen', 'works as a nurse', 'learn Norwegian']
      .map((part) => summary.indexOf(part))
      .filter((place) => place >= 0);
    expect(places.length).toBeGreaterThanOrEqual(2);
    expect([...places].sort((a, b) => a - b)).toEqual(places);
  });

  it('does not say again what earlier summaries say', async () => {
    const { summary } = await summarizeEpisodes(
      { episodes: EPISODES, existing: ['Maya moved to Bergen with her dog Pip.'] },
      null,
    );
    expect(summary).not.toContain('moved to Bergen');
  });

  it('says something when all of it is known', async () => {
    const { summary } = await summarizeEpisodes(
      { episodes: EPISODES.slice(0, 1), existing: [EPISODES[0]?.summary ?? ''] },
      null,
    );
    expect(summary).not.toBe('');
  });
});

describe('synthesizeProfile', () => {
  it('sorts what is known by what it is about', async () => {
    const profile = await synthesizeProfile(
      {
        memories: [
          {
            summary:
              'Maya lives in Utrecht with her dog Pip. She prefers short answers with code examples.',
          },
          {
            summary:
              'Maya moved the billing service from MySQL to PostgreSQL. She usually works late in the evening and dislikes morning meetings.',
          },
        ],
      },
      null,
    );
    expect(profile).toEqual({
      communication: 'Maya prefers short answers with code examples.',
      technical: 'Maya moved the billing service from MySQL to PostgreSQL.',
      workPattern: 'Maya usually works late in the evening and dislikes morning meetings.',
      personalContext: 'Maya lives in Utrecht with her dog Pip.',
      prose:
        'Maya prefers short answers with code examples. Maya moved the billing service from MySQL to PostgreSQL. ' +
        'Maya usually works late in the evening and dislikes morning meetings. Maya lives in Utrecht with her dog Pip.',
    });
  });

  it('keeps the newer of two memories that say the same', async () => {
    const { prose } = await synthesizeProfile(
      { memories: [{ summary: 'Maya lives in Utrecht.' }, { summary: 'Maya lives in Utrecht.' }] },
      null,
    );
    expect(prose).toBe('Maya lives in Utrecht.');
  });

  it('leaves sections empty that nothing speaks of, and still has a text', async () => {
    const profile = await synthesizeProfile(
      { memories: [{ summary: 'The comet passed behind the ridge.' }] },
      null,
    );
    expect(profile).toEqual({
      communication: '',
      technical: '',
      workPattern: '',
      personalContext: '',
      prose: 'The comet passed behind the ridge.',
    });
  });
});

describe('rateRetrieved', () => {
  it('tells memories that were built upon from those that were not used', async () => {
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
