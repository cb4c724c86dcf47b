import { expect, it } from 'vitest';
import { checkNode } from '../../../src/cli/doctor/check-node.ts';
import { findingsOf } from '../../../src/cli/doctor/check-postgres.ts';
import { loadConfig } from '../../../src/config/config.ts';
import type { Diagnosis } from '../../../src/db/operations/diagnosis.ts';
import { BUILT_IN_MODEL } from '../../../src/domain/core/embedding-profile.ts';

const contents = {
  keys: 1,
  embedders: [{ name: BUILT_IN_MODEL, users: 3 }],
  deadJobs: 0,
  backlog: 2,
  waited: 1,
};
const healthy: Diagnosis = {
  server: '17.2',
  clockAhead: 0.2,
  vector: '0.8.0',
  vectorAvailable: '0.8.0',
  pending: [],
  contents,
};

const troubles = (change: Partial<Diagnosis>, env: Record<string, string> = {}) =>
  findingsOf({ ...healthy, ...change }, loadConfig(env))
    .filter(({ level }) => level !== 'ok')
    .map(({ level, message, advice }) => `${level}: ${message} → ${advice}`);

it('a healthy database gives no warning', () => {
  expect(troubles({})).toEqual([]);
  expect(troubles({ pending: ['a'], contents: null })).toEqual([]);
});

it('a pgvector that is missing or too old is a problem', () => {
  expect(troubles({ vector: null, vectorAvailable: null })).toEqual([
    expect.stringMatching(/^problem: pgvector is not there → install pgvector 0\.8/),
  ]);
  expect(troubles({ vector: '0.7.4' })).toEqual([
    expect.stringMatching(/^problem: pgvector 0\.7\.4/),
  ]);
  expect(troubles({ vector: null, vectorAvailable: '0.8.1' })).toEqual([]);
  expect(troubles({ vector: '1.0.0' })).toEqual([]);
});

it('a clock that differs from that of the database is a warning', () => {
  expect(troubles({ clockAhead: -4 })).toEqual([]);
  expect(troubles({ clockAhead: 20.4 })).toEqual([
    expect.stringMatching(
      /^warning: the clock here is 20 s ahead of that of the database → synchronize/,
    ),
  ]);
  expect(troubles({ clockAhead: -6 })).toEqual([expect.stringMatching(/is 6 s behind that of/)]);
});

it('dead jobs and a stalled backlog are problems', () => {
  expect(troubles({ contents: { ...contents, deadJobs: 2 } })).toEqual([
    expect.stringMatching(/^problem: 2 are dead.*retryJob/),
  ]);
  expect(troubles({ contents: { ...contents, waited: 601 } })).toEqual([
    expect.stringMatching(/^problem: a background step has waited for 601 s/),
  ]);
});

it('vectors of another embedder, and a deployment that nobody can enter, are warnings', () => {
  const server = {
    EMBEDDER: 'openai',
    EMBEDDING_MODEL: 'small',
    EMBEDDING_BASE_URL: 'http://127.0.0.1:9/v1',
  };
  expect(troubles({}, server)).toEqual([
    expect.stringMatching(/^warning: made by use-lite-en\/1, but small is configured/),
  ]);
  const own = { ...contents, embedders: [{ name: 'openai:small@64', users: 3 }] };
  expect(troubles({ contents: own }, server)).toEqual([]);
  expect(troubles({}, { EMBEDDER: 'none' })).toEqual([
    expect.stringMatching(/^warning: there are vectors by use-lite-en\/1, but EMBEDDER is none/),
  ]);
  const locked = { ...contents, keys: 0 };
  expect(troubles({ contents: locked }, { HOST: '0.0.0.0' })).toEqual([
    expect.stringMatching(/^warning: every caller needs credentials, and there is no API key/),
  ]);
  expect(troubles({ contents: locked })).toEqual([]);
});

it('a Node.js that is too old is a problem', () => {
  expect(checkNode('20.19.0').level).toBe('ok');
  expect(checkNode('24.1.0').level).toBe('ok');
  expect(checkNode('20.18.3')).toMatchObject({
    level: 'problem',
    advice: expect.stringContaining('20.19'),
  });
  expect(checkNode('18.20.0').level).toBe('problem');
});
