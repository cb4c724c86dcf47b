import { type Finding, findingsAbout } from './finding.ts';

const { ok, problem } = findingsAbout('jobs');

/** Says whether background jobs have failed for good. */
export const deadJobsFinding = (deadJobs: number): Finding =>
  deadJobs === 0
    ? ok('none is dead')
    : problem(
        `${deadJobs} ${deadJobs === 1 ? 'is' : 'are'} dead, after five attempts`,
        'read their errors in User.jobs or in the console under Operations, then retry them with retryJob',
      );
