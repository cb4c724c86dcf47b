import { InvalidInput, ThreadClosed } from '../core/errors.ts';
import { type ChannelRule, channelRule } from '../turns/channel.ts';
import type { ReceivedTurn } from '../turns/turn.ts';
import { chooseThread, idleAt, type ThreadSpan, type Timeouts, timeoutOf } from './thread.ts';

/** A thread as stored, with what a placement changes. */
export type PlacedThread = ThreadSpan & {
  title: string | null;
  channels: string[];
  turnCount: number;
  /** The number up to which its turns are in closed segments, before out-of-order turns move them up. */
  segmentedThrough: number;
  idleAt: Date;
  /** The thread was imported. */
  imported: boolean;
};

/** A turn with its thread and number. Out-of-order turns get their number when they are stored. */
export type PlacedTurn = ReceivedTurn & { id: number; threadId: number; number: number };

/** What happened to a thread meanwhile, in order, for the event log. */
type ThreadNote = {
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

/** Where the caller wants the turns: in a named thread, in a new one, or where the rules put them. */
export type RequestedThread =
  | { kind: 'named'; thread: PlacedThread }
  | {
      kind: 'new';
      title: string | null;
      inactivityTimeoutMinutes: number | null;
      imported?: boolean;
    }
  /** By inactivity, also on an explicit channel: nobody picks a thread in an imported conversation. */
  | { kind: 'by-time' }
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

/** The state of an assignment. */
type PlacementDraft = {
  threads: Map<number, PlacedThread>;
  /** The new turns of each thread, in the order they were said. */
  touched: Map<number, ReceivedTurn[]>;
  notes: ThreadNote[];
  late: Set<number>;
  lastThread: number;
  /** The thread made because the caller asked for one. */
  requested: PlacedThread | null;
};

/**
 * Gives every turn its thread, its id and its number (requirements 2.4). Turns are assigned in the
 * order they were said; ids of one thread's turns are an unbroken range.
 *
 * @throws InvalidInput for a turn of an explicit channel without a thread
 * @throws ThreadClosed when the named thread is closed, for a turn that was not said between its first and its last
 */
export function assignTurnsToThreads(
  received: readonly ReceivedTurn[],
  requested: RequestedThread,
  state: PlacementState,
): Placement {
  const draft: PlacementDraft = {
    threads: new Map(state.threads.map((thread) => [thread.id, { ...thread }])),
    touched: new Map(),
    notes: [],
    late: new Set(),
    lastThread: state.lastThread,
    requested: null,
  };
  const stored = new Map(state.threads.map((thread) => [thread.id, thread.lastActivityAt]));
  for (const turn of [...received].sort(byTime)) {
    const rule = channelRule(turn.channel, state.ownRules.get(turn.channel), state.deploymentRules);
    const timeouts: Timeouts = {
      user: state.userTimeoutMinutes,
      channel: rule.inactivityTimeoutMinutes,
      default: state.implicitTimeoutMinutes,
    };
    const thread = threadFor(draft, turn, requested, rule, timeouts);
    const silence = thread.explicit
      ? (thread.inactivityTimeoutMinutes ?? state.explicitTimeoutMinutes)
      : timeoutOf(thread, timeouts);
    takeTurn(draft, thread, turn, silence);
    const lastStored = stored.get(thread.id);
    if (lastStored && turn.occurredAt < lastStored) draft.late.add(thread.id);
  }
  return numbered(draft, state.lastTurn);
}

function threadFor(
  draft: PlacementDraft,
  turn: ReceivedTurn,
  requested: RequestedThread,
  rule: ChannelRule,
  timeouts: Timeouts,
): PlacedThread {
  if (requested.kind === 'named') return draft.threads.get(requested.thread.id) as PlacedThread;
  if (requested.kind === 'new') {
    const { title, inactivityTimeoutMinutes, imported = false } = requested;
    const settings = { title, inactivityTimeoutMinutes, explicit: true, imported };
    draft.requested ??= open(
      draft,
      turn,
      settings,
      'thread.open (the caller asked for a new thread)',
    );
    return draft.requested;
  }
  if (rule.kind === 'EXPLICIT' && requested.kind === 'any') {
    throw new InvalidInput([
      {
        path: `input.turns.${turn.index}.channel`,
        message:
          `"${turn.channel}" is an EXPLICIT channel, on which the caller picks the thread. Add one line to the ` +
          'input: `newThread: {}` for a new thread, or `threadId: "…"` with the `id` of one that exists',
      },
    ]);
  }
  return implicitThread(draft, turn, timeouts, requested.kind === 'by-time');
}

function implicitThread(
  draft: PlacementDraft,
  turn: ReceivedTurn,
  timeouts: Timeouts,
  imported: boolean,
): PlacedThread {
  const candidates = [...draft.threads.values()];
  const choice = chooseThread(turn.occurredAt, candidates, timeouts);
  if (choice.kind === 'continue') return draft.threads.get(choice.threadId) as PlacedThread;
  const settings = { title: null, inactivityTimeoutMinutes: null, explicit: false, imported };
  const previous = latestImplicit(candidates);
  if (previous && turn.occurredAt < previous.lastActivityAt) {
    return open(draft, turn, settings, 'thread.open (late turn, no thread near)');
  }
  if (previous?.state === 'OPEN') {
    previous.state = 'IDLE';
    draft.touched.set(previous.id, draft.touched.get(previous.id) ?? []);
    const decision = `thread.idle (silence over ${timeoutOf(previous, timeouts)} min)`;
    draft.notes.push({ threadId: previous.id, kind: 'THREAD_IDLED', decision });
  }
  return open(draft, turn, settings, 'thread.open');
}

function open(
  draft: PlacementDraft,
  { occurredAt }: ReceivedTurn,
  settings: Pick<PlacedThread, 'title' | 'inactivityTimeoutMinutes' | 'explicit' | 'imported'>,
  decision: string,
): PlacedThread {
  draft.lastThread += 1;
  const thread: PlacedThread = {
    ...settings,
    id: draft.lastThread,
    state: 'OPEN',
    startedAt: occurredAt,
    lastActivityAt: occurredAt,
    channels: [],
    turnCount: 0,
    segmentedThrough: 0,
    idleAt: occurredAt,
  };
  draft.threads.set(thread.id, thread);
  draft.notes.push({ threadId: thread.id, kind: 'THREAD_OPENED', decision });
  return thread;
}

/** @param silence minutes after this turn until the thread is idle */
function takeTurn(
  draft: PlacementDraft,
  thread: PlacedThread,
  turn: ReceivedTurn,
  silence: number,
): void {
  const at = turn.occurredAt;
  const extendsThread = at >= thread.lastActivityAt;
  if (thread.state === 'CLOSED' && (extendsThread || at < thread.startedAt)) {
    throw new ThreadClosed();
  }
  if (thread.state === 'IDLE' && extendsThread) {
    thread.state = 'OPEN';
    draft.notes.push({ threadId: thread.id, kind: 'THREAD_REOPENED', decision: 'thread.reopen' });
  }
  if (extendsThread) {
    thread.lastActivityAt = at;
    thread.idleAt = idleAt(at, silence);
  }
  if (at < thread.startedAt) thread.startedAt = at;
  if (!thread.channels.includes(turn.channel)) thread.channels = [...thread.channels, turn.channel];
  const added = draft.touched.get(thread.id);
  if (added) added.push(turn);
  else draft.touched.set(thread.id, [turn]);
}

function numbered({ threads, touched, notes, late }: PlacementDraft, lastTurn: number): Placement {
  const turns: PlacedTurn[] = [];
  for (const [threadId, added] of touched) {
    const thread = threads.get(threadId) as PlacedThread;
    for (const turn of added) {
      thread.turnCount += 1;
      const id = lastTurn + turns.length + 1;
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
