import {
  asksForProfile,
  asksForRecap,
  givesFact,
  isAcknowledgement,
} from '../../language/en/capture-cues.ts';
import { narrativeContentOf, routineShareOf } from '../../language/en/narrative.ts';
import { recallIntentOf } from '../../language/en/recall-intent.ts';
import { effectOf, type ToolEffect } from '../../language/en/tool-effect.ts';
import { HOUR, MINUTE } from '../../shared/duration.ts';
import type { Role, ToolCall } from '../../shared/role.ts';
import { newShareOf, type Theme, themeLikeness } from './theme.ts';
import { worthOf } from './worth.ts';

/** A turn with the fields that capture reads. */
export type CapturedTurn = {
  role: Role;
  text: string;
  toolCalls?: readonly ToolCall[] | null | undefined;
};

/** A closed segment, and what was captured before it. */
export type CaptureInput = {
  turns: readonly CapturedTurn[];
  startedAt: Date;
  endedAt: Date;
  /** The outcomes that the reasoner describes. */
  outcomes: readonly { kind: 'TOOL_RESULT' | 'DECISION' | 'NEXT_STEP' | 'MILESTONE' }[];
  surprise: number;
  /** When the turn before these was said, in their thread; null if they open the thread. */
  saidBefore: Date | null;
  theme: Theme;
  /** Earlier CREATED episodes, each with its own theme and those of the segments merged into it. */
  recent: readonly { id: number; endedAt: Date; themes: readonly Theme[] }[];
  /** When the last created or merged segment ended, and the number of the user's turns since, including these. */
  last: { endedAt: Date; turnsSince: number } | null;
  /** Episodes created on the same day, in the user's time zone. */
  createdToday: number;
  mergeWindowHours: number;
  /** The threshold `novelty` of the embedding profile. */
  noveltyThreshold: number;
};

/** What the decision is based on; shares, similarity, novelty and surprise are 0-1. */
export type CaptureSignals = {
  outcomes: { decision: number; nextStep: number; milestone: number; toolResult: number };
  tools: Record<ToolEffect, number>;
  /** The user asked for a recap, in order to keep it. */
  recapAsked: boolean;
  /** The confidence that the user asks for earlier talk; 0 = no. */
  recallIntent: number;
  /** Narrative content: how much people say of what happened, is and will be. */
  telling: number;
  /** The share of that which states facts. */
  factShare: number;
  /** The share of people's words that only asks, orders or reacts. */
  routineShare: number;
  /** The probability that it deserves an episode by what people say in it; null if their language is not known. */
  worth: number | null;
  novelty: number;
  surprise: number;
  /** The most similar episode in the merge window. */
  nearest: { id: number; similarity: number; hoursSince: number } | null;
  turnsSince: number | null;
  minutesSince: number | null;
  createdToday: number;
};

/** Computes the signals of capture from a segment's words, its description and the episodes before it. */
export function signalsOf(input: CaptureInput): CaptureSignals {
  const { turns, outcomes, last, endedAt } = input;
  const factTurns = factTurnsIn(turns);
  const whole = narrativeContentOf(turns);
  const withoutFacts = narrativeContentOf(turns, (turn) => !factTurns.has(turn));
  const count = (kind: string) => outcomes.filter((outcome) => outcome.kind === kind).length;
  const peoplesTurns = people(turns);
  const tools = toolsOf(turns);
  return {
    outcomes: {
      decision: count('DECISION'),
      nextStep: count('NEXT_STEP'),
      milestone: count('MILESTONE'),
      toolResult: count('TOOL_RESULT'),
    },
    tools,
    recapAsked: peoplesTurns.some(({ text }) => asksForRecap(text)),
    recallIntent: Math.max(0, ...peoplesTurns.map(({ text }) => recallOf(text))),
    telling: whole,
    factShare: factTurns.size === 0 ? 0 : whole === 0 ? 1 : 1 - withoutFacts / whole,
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

/** The indexes of turns that state facts. */
function factTurnsIn(turns: readonly CapturedTurn[]): ReadonlySet<number> {
  const found = [...turns.keys()].filter((turn) => {
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
  return new Set(found);
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
      similarity: Math.max(
        0,
        ...themes.map((other) => themeLikeness(theme, other, noveltyThreshold)),
      ),
      hoursSince: Math.max(0, startedAt.getTime() - endedAt.getTime()) / HOUR,
    }))
    .filter(({ hoursSince }) => hoursSince <= mergeWindowHours)
    .reduce<CaptureSignals['nearest']>(
      (best, one) => (best && best.similarity >= one.similarity ? best : one),
      null,
    );
}
