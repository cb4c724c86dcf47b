import { expect, it } from 'vitest';
import { chooseThread, idleAt, type ThreadSpan } from '../../../src/domain/threads/thread.ts';
import { channelRule } from '../../../src/domain/turns/channel.ts';

const at = (time: string) => new Date(`2026-03-02T${time}Z`);
const thread = (id: number, from: string, to: string, more: Partial<ThreadSpan> = {}) => ({
  id,
  explicit: false,
  state: 'OPEN' as const,
  inactivityTimeoutMinutes: null,
  startedAt: at(from),
  lastActivityAt: at(to),
  ...more,
});
const TIMEOUTS = { user: null, channel: null, default: 30 };

it.each<[string, string, ThreadSpan[], number | 'new']>([
  ['the first turn opens a thread', '10:00:00', [], 'new'],
  [
    'a turn exactly at the timeout continues the thread',
    '10:30:00',
    [thread(1, '09:00:00', '10:00:00')],
    1,
  ],
  [
    'a turn a millisecond after the timeout opens a thread',
    '10:30:00.001',
    [thread(1, '09:00:00', '10:00:00')],
    'new',
  ],
  [
    'a turn within the timeout continues an idle thread',
    '10:10:00',
    [thread(1, '09:00:00', '10:00:00', { state: 'IDLE' })],
    1,
  ],
  [
    'a turn within the timeout of a closed thread opens another',
    '10:10:00',
    [thread(1, '09:00:00', '10:00:00', { state: 'CLOSED' })],
    'new',
  ],
  [
    'a turn beside an explicit thread alone opens a thread',
    '10:10:00',
    [thread(1, '09:00:00', '10:00:00', { explicit: true })],
    'new',
  ],
  [
    "a turn after the thread's own timeout opens a thread",
    '10:10:00',
    [thread(1, '09:00:00', '10:00:00', { inactivityTimeoutMinutes: 5 })],
    'new',
  ],
  [
    'a turn continues the later of two threads',
    '12:10:00',
    [thread(2, '11:00:00', '12:00:00'), thread(1, '09:00:00', '10:00:00')],
    2,
  ],
  [
    'a late turn inside the span of a thread joins it',
    '09:30:00',
    [thread(1, '09:00:00', '10:00:00'), thread(2, '12:00:00', '12:00:00')],
    1,
  ],
  [
    'a late turn inside the span of a closed thread joins it',
    '09:30:00',
    [thread(1, '09:00:00', '10:00:00', { state: 'CLOSED' }), thread(2, '12:00:00', '12:00:00')],
    1,
  ],
  [
    "a late turn at a closed thread's last instant opens a thread",
    '10:00:00',
    [thread(1, '09:00:00', '10:00:00', { state: 'CLOSED' }), thread(2, '12:00:00', '12:00:00')],
    'new',
  ],
  [
    'a late turn after a closed thread opens a thread',
    '10:05:00',
    [thread(1, '09:00:00', '10:00:00', { state: 'CLOSED' }), thread(2, '12:00:00', '12:00:00')],
    'new',
  ],
  [
    'a late turn nearer to the later of two threads joins that one',
    '11:40:00',
    [thread(1, '09:00:00', '11:00:00'), thread(2, '12:00:00', '12:00:00')],
    2,
  ],
  [
    'a late turn equally near to two threads joins the earlier one',
    '11:30:00',
    [thread(2, '12:00:00', '12:00:00'), thread(1, '09:00:00', '11:00:00')],
    1,
  ],
  [
    'a late turn near to no thread opens a thread',
    '10:45:00',
    [thread(1, '09:00:00', '10:00:00'), thread(2, '12:00:00', '12:00:00')],
    'new',
  ],
  [
    'a turn before everything joins the first thread within its timeout',
    '08:45:00',
    [thread(1, '09:00:00', '10:00:00')],
    1,
  ],
])('%s', (_name, time, threads, expected) => {
  const choice = chooseThread(at(time), threads, TIMEOUTS);
  expect(choice).toEqual(
    expected === 'new' ? { kind: 'new' } : { kind: 'continue', threadId: expected },
  );
});

it('user setting beats channel setting beats the default', () => {
  const threads = [thread(1, '09:00:00', '10:00:00')];
  const choose = (user: number | null, channel: number | null) =>
    chooseThread(at('10:20:00'), threads, { user, channel, default: 30 }).kind;
  expect(choose(null, null)).toBe('continue');
  expect(choose(null, 10)).toBe('new');
  expect(choose(60, 10)).toBe('continue');
});

it('a thread turns idle at its last activity plus its timeout', () => {
  expect(idleAt(at('10:00:00'), 90)).toEqual(at('11:30:00'));
});

it.each([
  ['web', 'EXPLICIT'],
  ['mobile', 'EXPLICIT'],
  ['app', 'EXPLICIT'],
  ['sms', 'IMPLICIT'],
  ['whatsapp', 'IMPLICIT'],
  ['telegram', 'IMPLICIT'],
  ['email', 'IMPLICIT'],
  ['voice', 'IMPLICIT'],
  ['a channel of tomorrow', 'IMPLICIT'],
])('%s is %s unless it is configured', (channel, kind) => {
  expect(channelRule(channel, null, new Map()).kind).toBe(kind);
});

it("a user's rule for a channel beats the deployment's", () => {
  const own = { kind: 'IMPLICIT' as const, inactivityTimeoutMinutes: 5 };
  const deployment = { kind: 'EXPLICIT' as const, inactivityTimeoutMinutes: null };
  const rules = new Map([['kiosk', deployment]]);
  expect(channelRule('kiosk', null, rules)).toBe(deployment);
  expect(channelRule('kiosk', own, rules)).toBe(own);
});
