import { type ChannelRule, channelRule } from './channel.ts';
import { InvalidInput, ThreadClosed } from './errors.ts';
import { chooseThread, idleAt, type ThreadSpan, type Timeouts, timeoutOf } from './thread.ts';
import type { ReceivedTurn } from './turn.ts';

/** A thread as stored, with what a placement changes. */
export type PlacedThread = ThreadSpan & {
  title: string | null;
  channels: string[];
  turnCount: number;
  idleAt: Date;
};

/** A turn with its place. `number` is its place in the thread; late turns get theirs on saving. */
export type PlacedTurn = ReceivedTurn & { id: number; threadId: number; number: number };

/** What happened to a thread on the way, in order, for the event log. */
export type ThreadNote = {
  threadId: number;
  kind: 'THREAD_OPENED' | 'THREAD_REOPENED' | 'THREAD_IDLED';
  decision: string;
};

export type Placement = {
  threads: PlacedThread[];
  turns: PlacedTurn[];
  notes: ThreadNote[];
  /** Threads in which a turn comes before turns already stored. */
  lateThreadIds: number[];
};

/** Where the caller wants the turns: a named thread, a new one, or wherever the rules say. */
export type RequestedThread =
  | { kind: 'named'; thread: PlacedThread }
  | { kind: 'new'; title: string | null; inactivityTimeoutMinutes: number | null }
  | { kind: 'any' };

export type PlacementState = {
  lastThread: number;
  lastTurn: number;
  threads: readonly PlacedThread[];
  ownRules: ReadonlyMap<string, ChannelRule>;
  deploymentRules: ReadonlyMap<string, ChannelRule>;
  userTimeoutMinutes: number | null;
  /** Defaults of the deployment, in minutes. */
  implicitTimeoutMinutes: number;
  explicitTimeoutMinutes: number;
};

/**
 * Gives every turn its thread, its id and its number (system.md §3). Turns are placed in the
 * order they were said; ids of one thread's turns are an unbroken range.
 *
 * @throws InvalidInput for a turn of an explicit channel without a thread
 * @throws ThreadClosed when the named thread takes no more turns
 */
export function placeTurns(
  received: readonly ReceivedTurn[],
  requested: RequestedThread,
  state: PlacementState,
): Placement {
  const threads = new Map(state.threads.map((thread) => [thread.id, { ...thread }]));
  const stored = new Map(state.threads.map((thread) => [thread.id, thread]));
  const touched = new Map<number, ReceivedTurn[]>();
  const notes: ThreadNote[] = [];
  const late = new Set<number>();
  let lastThread = state.lastThread;
  let asked: PlacedThread | null = null;

  const open = (turn: ReceivedTurn, explicit: boolean, decision: string): PlacedThread => {
    lastThread += 1;
    const thread: PlacedThread = {
      id: lastThread,
      title: requested.kind === 'new' ? requested.title : null,
      inactivityTimeoutMinutes:
        requested.kind === 'new' ? requested.inactivityTimeoutMinutes : null,
      explicit,
      state: 'OPEN',
      startedAt: turn.occurredAt,
      lastActivityAt: turn.occurredAt,
      channels: [],
      turnCount: 0,
      idleAt: turn.occurredAt,
    };
    threads.set(thread.id, thread);
    notes.push({ threadId: thread.id, kind: 'THREAD_OPENED', decision });
    return thread;
  };

  const findThread = (turn: ReceivedTurn, timeouts: Timeouts, explicit: boolean): PlacedThread => {
    if (requested.kind === 'named') return threads.get(requested.thread.id) as PlacedThread;
    if (requested.kind === 'new') {
      asked ??= open(turn, true, 'thread.open (the caller asked for a new thread)');
      return asked;
    }
    if (explicit) {
      throw new InvalidInput([
        {
          path: `input.turns.${turn.index}.channel`,
          message: `"${turn.channel}" is an EXPLICIT channel: name a threadId, or ask for a newThread`,
        },
      ]);
    }
    const candidates = [...threads.values()];
    const choice = chooseThread(turn.occurredAt, candidates, timeouts);
    if (choice.kind === 'continue') return threads.get(choice.threadId) as PlacedThread;
    const previous = latestImplicit(candidates);
    const isLate = previous !== null && turn.occurredAt < previous.lastActivityAt;
    if (previous?.state === 'OPEN' && !isLate) {
      previous.state = 'IDLE';
      touched.set(previous.id, touched.get(previous.id) ?? []);
      const decision = `thread.idle (silence over ${timeoutOf(previous, timeouts)} min)`;
      notes.push({ threadId: previous.id, kind: 'THREAD_IDLED', decision });
    }
    return open(turn, false, isLate ? 'thread.open (late turn, no thread near)' : 'thread.open');
  };

  for (const turn of [...received].sort(byTime)) {
    const rule = channelRule(turn.channel, state.ownRules, state.deploymentRules);
    const timeouts: Timeouts = {
      user: state.userTimeoutMinutes,
      channel: rule.inactivityTimeoutMinutes,
      default: state.implicitTimeoutMinutes,
    };
    const thread = findThread(turn, timeouts, rule.kind === 'EXPLICIT');
    const at = turn.occurredAt;
    const before = stored.get(thread.id);
    const extendsThread = at >= thread.lastActivityAt;
    if (thread.state === 'CLOSED' && (extendsThread || at < thread.startedAt))
      throw new ThreadClosed();
    if (before && at < before.lastActivityAt) late.add(thread.id);
    if (thread.state === 'IDLE' && extendsThread) {
      thread.state = 'OPEN';
      notes.push({ threadId: thread.id, kind: 'THREAD_REOPENED', decision: 'thread.reopen' });
    }
    if (extendsThread) {
      thread.lastActivityAt = at;
      const silence = thread.explicit
        ? (thread.inactivityTimeoutMinutes ?? state.explicitTimeoutMinutes)
        : timeoutOf(thread, timeouts);
      thread.idleAt = idleAt(at, silence);
    } else if (at < thread.startedAt) thread.startedAt = at;
    if (!thread.channels.includes(turn.channel))
      thread.channels = [...thread.channels, turn.channel];
    touched.set(thread.id, [...(touched.get(thread.id) ?? []), turn]);
  }

  let id = state.lastTurn;
  const turns: PlacedTurn[] = [];
  for (const [threadId, own] of touched) {
    const thread = threads.get(threadId) as PlacedThread;
    for (const turn of own) {
      id += 1;
      thread.turnCount += 1;
      turns.push({ ...turn, id, threadId, number: thread.turnCount });
    }
  }
  return {
    threads: [...touched.keys()].map((threadId) => threads.get(threadId) as PlacedThread),
    turns,
    notes,
    lateThreadIds: [...late],
  };
}

function latestImplicit(threads: readonly PlacedThread[]): PlacedThread | null {
  let latest: PlacedThread | null = null;
  for (const thread of threads) {
    if (thread.explicit) continue;
    if (latest === null || thread.lastActivityAt >= latest.lastActivityAt) latest = thread;
  }
  return latest;
}

const byTime = (a: ReceivedTurn, b: ReceivedTurn) =>
  a.occurredAt.getTime() - b.occurredAt.getTime() || a.index - b.index;
