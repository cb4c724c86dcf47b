import type { Needs } from '../../context.ts';
import type { HotPathState, TurnRow } from '../../db/turns/remember.ts';
import { IdempotencyConflict, InvalidInput, NotFound } from '../../domain/core/errors.ts';
import {
  assignTurnsToThreads,
  type Placement,
  type RequestedThread,
} from '../../domain/threads/placement.ts';
import { isStoredTurn } from '../../domain/turns/same-turn.ts';
import type { ReceivedTurn } from '../../domain/turns/turn.ts';
import type { Received } from './receive.ts';

export type KnownTurn = TurnRow;

export type Bounded = {
  placement: Placement;
  /** Turns of the input that are stored already, by index. */
  alreadyStored: Map<number, KnownTurn>;
  /** Indexes of turns of the input that the user has forgotten. */
  forgotten: Set<number>;
};

/**
 * Separates turns that were sent before, and places the others in threads.
 * @throws IdempotencyConflict if a key was used before for other content
 * @throws NotFound if the user has no thread with the given id
 * @throws InvalidInput if the caller names a thread and also requests a new one
 */
export function boundThread(
  ctx: Needs<'config'>,
  received: Received,
  {
    threadId,
    isImport,
    state,
  }: { threadId: number | null; isImport: boolean; state: HotPathState },
): Bounded {
  const byKey = new Map(state.known.map((turn) => [turn.keyHash, turn]));
  const erased = new Set(state.erasedKeys);
  const alreadyStored = new Map<number, KnownTurn>();
  const forgotten = new Set<number>();
  const fresh: ReceivedTurn[] = [];
  for (const turn of received.turns) {
    const stored = turn.keyHash === null ? undefined : byKey.get(turn.keyHash);
    if (stored) {
      if (!isStoredTurn(turn, stored)) {
        throw new IdempotencyConflict(`input.turns.${turn.index}.idempotencyKey`);
      }
      // Its contents are the same, and were not read.
      alreadyStored.set(turn.index, { ...stored, text: turn.text, toolCalls: turn.toolCalls });
    } else if (turn.keyHash !== null && erased.has(turn.keyHash)) forgotten.add(turn.index);
    else fresh.push(turn);
  }
  const placement = assignTurnsToThreads(
    fresh,
    requestedThread(received, { threadId, isImport, state }),
    {
      lastThread: state.lastThread,
      lastTurn: state.lastTurn,
      threads: state.threads,
      ownRules: new Map(state.channels.map((rule) => [rule.name, rule])),
      deploymentRules: ctx.config.threads.channelRules,
      userTimeoutMinutes: state.inactivityTimeoutMinutes,
      implicitTimeoutMinutes: ctx.config.threads.implicitTimeoutMinutes,
      explicitTimeoutMinutes: ctx.config.threads.explicitTimeoutMinutes,
    },
  );
  return { placement, alreadyStored, forgotten };
}

function requestedThread(
  received: Received,
  {
    threadId,
    isImport,
    state,
  }: { threadId: number | null; isImport: boolean; state: HotPathState },
): RequestedThread {
  if (threadId !== null) {
    if (received.newThread) {
      const message = 'must be left out when threadId names a thread';
      throw new InvalidInput([{ path: 'input.newThread', message }]);
    }
    const thread = state.threads.find(({ id }) => id === threadId);
    if (!thread) throw new NotFound('thread');
    return { kind: 'named', thread };
  }
  if (received.newThread) return { kind: 'new', ...received.newThread, imported: isImport };
  return { kind: isImport ? 'by-time' : 'any' };
}
