import { expect, it } from 'vitest';
import { createExtractiveReasoner } from '../../../src/reasoner/extractive/extractive.ts';
import { talk } from '../../support/models/model-reasoner.ts';

const reasoner = createExtractiveReasoner({ embedder: null });
const CALL = { userId: 'alex' };

it('"My name is Alex and I prefer Python" gives two facts', async () => {
  const turns = talk(['USER', 'My name is Alex and I prefer Python']).map((turn) => ({
    ...turn,
    speaker: null,
  }));
  const { facts } = await reasoner.extractFacts({ turns }, CALL);
  expect(facts.map(({ category, key, value }) => [category, key, value])).toEqual([
    ['IDENTITY', 'profile:name', 'Alex'],
    ['PREFERENCE', 'preference:python', 'Python'],
  ]);
});

it('the summary of a conversation about vector databases names both that were compared', async () => {
  const turns = talk(
    ['USER', 'Which vector database should I take for 2 million product descriptions?'],
    ['ASSISTANT', 'FAISS is a library that lives in memory; pgvector keeps vectors in PostgreSQL.'],
    ['USER', 'Can pgvector filter by user while it searches?'],
    ['ASSISTANT', 'Yes, pgvector filters by any column, and FAISS leaves that to your own code.'],
  );
  const { summary } = await reasoner.describeSegment({ turns }, CALL);
  expect(summary).toMatch(/FAISS .*pgvector/);
});
