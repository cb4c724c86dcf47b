import {
  asksForProfile,
  asksForRecap,
  givesFact,
  isAcknowledgement,
} from '../../language/en/capture-cues.ts';
import { narrativeContentOf, routineShareOf } from '../../language/en/narrative.ts';
import { recallIntentOf } from '../../language/en/recall-intent.ts';
import { effectOf, type ToolEffect } from '../../language/en/tool-effect.ts';
import type { Role, ToolCall } from '../core/role.ts';
import { newShareOf, type Theme, themeLikeness } from './theme.ts';
import { worthOf } from './worth.ts';

const HOUR = 3_600_000;
const MINUTE = 60_000;

/** A turn as capture reads it. */
export type CapturedTurn = {
  role: Role;
  text: string;
  toolCalls?: readonly ToolCall[] | null | undefined;
};

/** A closed segment and what was captured before it. */
export type CaptureInput = {
  turns: readonly CapturedTurn[];
  startedAt: Date;
  endedAt: Date;
  /** What came of it, as the reasoner describes the segment. */
  outcomes: readonly { kind: 'TOOL_RESULT' | 'DECISION' | 'NEXT_STEP' | 'MILESTONE' }[];
  surprise: number;
  /** When the turn of the thread before these was said; null = they open it. */
  saidBefore: Date | null;
  theme: Theme;
  /** CREATED episodes that ended before; each with its own theme and those of what was merged into it. */
  recent: readonly { id: number; endedAt: Date; themes: readonly Theme[] }[];
  /** The last segment that was created or merged, and the user's turns after it, the segment's included. */
  last: { endedAt: Date; turnsSince: number } | null;
  /** Episodes created on the same day of the user. */
  createdToday: number;
  mergeWindowHours: number;
  /** The threshold `novelty` of the embedding profile. */
  noveltyThreshold: number;
};

/** What the decision is made by; shares, similarity, novelty and surprise are 0-1. */
export type CaptureSignals = {
  outcomes: { decision: number; nextStep: number; milestone: number; toolResult: number };
  tools: Record<ToolEffect, number>;
  /** A summing up was asked for, to keep it. */
  recapAsked: boolean;
  /** How surely earlier talk was asked for; 0 = it was not. */
  recallIntent: number;
  /** How much people tell of what happened, is and will be. */
  telling: number;
  /** How much of that is there to be noted as a fact. */
  factShare: number;
  /** How much of what people say only asks, orders or reacts. */
  routineShare: number;
  /** How likely it is worth an episode by what people say in it; null = their language is not known. */
  worth: number | null;
  novelty: number;
  surprise: number;
  /** The likest episode of the merge window. */
  nearest: { id: number; similarity: number; hoursSince: number } | null;
  turnsSince: number | null;
  minutesSince: number | null;
  createdToday: number;
};

/** Reads the signals off a segment's words, its description and its neighbours. */
export function signalsOf(input: CaptureInput): CaptureSignals {
  const { turns, outcomes, last, endedAt } = input;
  const kept = keptTurns(turns);
  const whole = narrativeContentOf(turns);
  const unkept = narrativeContentOf(turns, (turn) => !kept.has(turn));
  const count = (kind: string) => outcomes.filter((own) => own.kind === kind).length;
  const own = people(turns);
  const tools = toolsOf(turns);
  return {
    outcomes: {
      decision: count('DECISION'),
      nextStep: count('NEXT_STEP'),
      milestone: count('MILESTONE'),
      toolResult: count('TOOL_RESULT'),
    },
    tools,
    recapAsked: own.some(({ text }) => asksForRecap(text)),
    recallIntent: Math.max(0, ...own.map(({ text }) => recallOf(text))),
    telling: whole,
    factShare: kept.size === 0 ? 0 : whole === 0 ? 1 : 1 - unkept / whole,
    routineShare: routineShareOf(turns),
    worth: worthOf({ ...input, decisions: count('DECISION'), changed: tools.CHANGED }),
    novelty: Math.min(1, ...input.recent.map(({ themes }) => newShareOf(input.theme, themes))),
    surprise: input.surprise,
    nearest: nearestOf(input),
    turnsSince: last ? last.turnsSince : null,
    minutesSince: last ? Math.max(0, endedAt.getTime() - last.endedAt.getTime()) / MINUTE : null,
    createdToday: input.createdToday,
  };
}

const people = (turns: readonly CapturedTurn[]) =>
  turns.filter(({ role }) => role === 'USER' || role === 'OTHER');

function recallOf(text: string): number {
  const { recall, confidence } = recallIntentOf(text);
  return recall ? confidence : 0;
}

function toolsOf(turns: readonly CapturedTurn[]): Record<ToolEffect, number> {
  const effects = { CHANGED: 0, FAILED: 0, LOOKED_UP: 0, ROUTINE: 0 };
  for (const call of turns.flatMap(({ toolCalls }) => toolCalls ?? []))
    effects[effectOf(call)] += 1;
  return effects;
}

/** The turns in which a fact is given to be noted. */
function keptTurns(turns: readonly CapturedTurn[]): ReadonlySet<number> {
  const kept = [...turns.keys()].filter((turn) => {
    const { role, text } = turns[turn] as CapturedTurn;
    if (role !== 'USER' && role !== 'OTHER') return false;
    const saidBefore = assistantAt(turns, turn - 1);
    const saidAfter = assistantAt(turns, turn + 1);
    return (
      givesFact(text) ||
      (saidAfter !== null && isAcknowledgement(saidAfter)) ||
      (saidBefore !== null && asksForProfile(saidBefore))
    );
  });
  return new Set(kept);
}

function assistantAt(turns: readonly CapturedTurn[], turn: number): string | null {
  const found = turns[turn];
  return found?.role === 'ASSISTANT' ? found.text : null;
}

function nearestOf(input: CaptureInput): CaptureSignals['nearest'] {
  const { recent, startedAt, theme, mergeWindowHours, noveltyThreshold } = input;
  return recent
    .map(({ id, endedAt, themes }) => ({
      id,
      similarity: Math.max(0, ...themes.map((own) => themeLikeness(theme, own, noveltyThreshold))),
      hoursSince: Math.max(0, startedAt.getTime() - endedAt.getTime()) / HOUR,
    }))
    .filter(({ hoursSince }) => hoursSince <= mergeWindowHours)
    .reduce<CaptureSignals['nearest']>(
      (best, own) => (best && best.similarity >= own.similarity ? best : own),
      null,
    );
}
