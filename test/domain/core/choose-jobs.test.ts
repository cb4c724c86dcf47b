import { expect, it } from 'vitest';
import { chooseJobs, type DueJob, type LaneRoom } from '../../../src/domain/core/choose-jobs.ts';

const at = (second: number) => new Date(Date.UTC(2026, 2, 2, 9, 0, second));
const job = (userId: string, subject: number, place: number | null = null): DueJob => ({
  lane: 'rows',
  userId,
  step: 'index-turns',
  subject,
  runAt: at(subject),
  place,
});
const rows = (free: number, most = 10): LaneRoom => ({ lane: 'rows', free, most });
const named = (jobs: readonly { userId: string; subject: number }[]) =>
  jobs.map(({ userId, subject }) => `${userId} ${subject}`);

it('new jobs of several users are taken in turns', () => {
  const due = [job('hog', 1), job('hog', 2), job('hog', 3), job('ann', 4), job('bob', 5)];
  const chosen = chooseJobs(due, { lanes: [rows(3)], held: [], lasts: [] });
  expect(named(chosen.filter(({ isTaken }) => isTaken))).toEqual(['hog 1', 'ann 4', 'bob 5']);
  expect(named(chosen.filter(({ isTaken }) => !isTaken))).toEqual(['hog 2', 'hog 3']);
});

it('a user who joins a line goes to its head, and later jobs of a user go behind the earlier ones', () => {
  const due = [job('hog', 1, 7), job('hog', 2, 8), job('hog', 3), job('ann', 4)];
  const lasts = [{ lane: 'rows', userId: 'hog', place: 8 }];
  const places = chooseJobs(due, { lanes: [rows(0)], held: [], lasts });
  expect(places.map(({ userId, place }) => [userId, place])).toEqual([
    ['ann', 6],
    ['hog', 9],
  ]);
});

it('a new job goes before those that continue, and after new jobs that have waited longer', () => {
  const due = [job('hog', 1, 9), job('pig', 2, 11), job('ann', 3, 8), job('bob', 4)];
  const chosen = chooseJobs(due, { lanes: [rows(3)], held: [], lasts: [] });
  expect(named(chosen.filter(({ isTaken }) => isTaken))).toEqual(['ann 3', 'bob 4', 'hog 1']);
});

it('a user who joins an empty line is not ahead of what is running', () => {
  const held = [{ lane: 'rows', userId: 'hog', place: 41 }];
  const [chosen] = chooseJobs([job('ann', 1)], { lanes: [rows(1)], held, lasts: [] });
  expect(chosen?.place).toBe(40);
});

it('what a worker runs counts for the share of a user, and lanes do not share places', () => {
  const other = { ...job('ann', 3), lane: 'facts' };
  const state = { lanes: [rows(5, 1), { lane: 'facts', free: 1, most: 1 }], lasts: [] };
  const held = [{ lane: 'rows', userId: 'ann', place: 0 }];
  const chosen = chooseJobs([job('ann', 1), job('bob', 2), other], { ...state, held });
  expect(named(chosen.filter(({ isTaken }) => isTaken))).toEqual(['bob 2', 'ann 3']);
});

it('a job that has its place already and is not taken stays as it is', () => {
  const chosen = chooseJobs([job('ann', 1, 3)], { lanes: [rows(0)], held: [], lasts: [] });
  expect(chosen).toEqual([]);
});
