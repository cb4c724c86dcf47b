import type { CaptureSignals } from './capture-signals.ts';

/** What becomes of a closed segment: it waits, is an episode, is part of an earlier one, or none. */
const CAPTURE_STATUSES = ['PENDING', 'CREATED', 'MERGED', 'SKIPPED'] as const;
export type CaptureStatus = (typeof CAPTURE_STATUSES)[number];

/** How choosy capture is (requirements 6.10, EPISODIC_*). */
export type CaptureKnobs = {
  /** Every segment becomes an episode. */
  everything: boolean;
  /** An episode follows another after so many turns or so many minutes. */
  cooldownTurns: number;
  cooldownMinutes: number;
  /** Episodes created on one day of the user; merging is not limited. */
  maxPerDay: number;
  /** Least share of a segment's words that no recent episode holds. */
  noveltyMin: number;
  /** How long after an episode its theme may go on in it, hours. */
  mergeWindowHours: number;
  /** From here two segments have one theme, 0-1. */
  mergeSimilarity: number;
  /** From here a segment is worth an episode, 0-1. */
  notabilityMin: number;
  /** An episode is described by so many of its newest turns. */
  windowTurns: number;
};

export const CAPTURE_KNOBS: CaptureKnobs = {
  everything: false,
  cooldownTurns: 3,
  cooldownMinutes: 10,
  maxPerDay: 5,
  noveltyMin: 0.15,
  mergeWindowHours: 48,
  mergeSimilarity: 0.6,
  notabilityMin: 0.38,
  windowTurns: 40,
};

/** Why a segment was captured as it was. */
type CaptureReason =
  | 'everything'
  | 'outcome'
  | 'recall intent'
  | 'surprise'
  | 'novelty'
  | 'same theme'
  | 'routine'
  | 'fact update'
  | 'low notability'
  | 'nothing new'
  | 'cooldown'
  | 'quota';

export type CaptureDecision = {
  status: Exclude<CaptureStatus, 'PENDING'>;
  reason: CaptureReason;
  /** 0-1 each. */
  scores: {
    notability: number;
    outcome: number;
    telling: number;
    factShare: number;
    novelty: number;
    surprise: number;
    similarity: number;
  };
  mergeInto: number | null;
};

/** What a decision was made by, as it is stored beside it. */
export type CaptureRecord = CaptureDecision['scores'] &
  CaptureSignals['outcomes'] &
  Pick<
    CaptureSignals,
    'recapAsked' | 'recallIntent' | 'routineShare' | 'turnsSince' | 'minutesSince' | 'createdToday'
  > & { toolChanges: number };

export function recordOf(
  { scores }: CaptureDecision,
  { outcomes, tools, recapAsked, recallIntent, routineShare, ...counts }: CaptureSignals,
): CaptureRecord {
  const { turnsSince, minutesSince, createdToday } = counts;
  const asked = { recapAsked, recallIntent, routineShare };
  const before = { turnsSince, minutesSince, createdToday };
  return { ...scores, ...outcomes, toolChanges: tools.CHANGED, ...asked, ...before };
}

/** What each sign by itself says for an episode; together they add up as independent chances. */
const WORTH = {
  decision: 0.5,
  milestone: 0.45,
  nextStep: 0.25,
  /** A tool changed something; each further change adds. */
  changed: 0.45,
  /** A tool could not change what it should. */
  failed: 0.2,
  /** A tool told something. */
  lookedUp: 0.05,
  routine: 0.03,
  recap: 0.6,
  recall: 0.4,
  surprise: 0.15,
} as const;
/** From here surprise is a reason of its own (a key moment, requirements 7.2). */
const SURPRISING = 0.7;
/** A segment of which so much is given to be noted is a fact update. */
export const FACT_UPDATE = 0.5;
/** So much of a routine segment only asks, orders or reacts. */
const ROUTINE = 0.5;

/** What goes on in a known theme need not be so notable: nothing new is created. */
const MERGE_EASE = 0.5;
/** What outcomes count beside the worth of the words, which knows of them already. */
const BESIDE_WORTH = 0.3;
/** Chance that any of several independent signs holds. */
const anyOf = (...chances: number[]): number =>
  1 - chances.reduce((none, chance) => none * (1 - chance), 1);

const times = (worth: number, count: number): number => 1 - (1 - worth) ** count;

function outcomeOf({ outcomes, tools }: CaptureSignals): number {
  // Tools that only a description tells of count as looking up: nothing says what they did.
  const seen = tools.CHANGED + tools.FAILED + tools.LOOKED_UP + tools.ROUTINE;
  const told = Math.max(0, outcomes.toolResult - seen);
  return anyOf(
    outcomes.decision > 0 ? WORTH.decision : 0,
    outcomes.milestone > 0 ? WORTH.milestone : 0,
    outcomes.nextStep > 0 ? WORTH.nextStep : 0,
    times(WORTH.changed, Math.min(2, tools.CHANGED)),
    times(WORTH.failed, Math.min(2, tools.FAILED)),
    times(WORTH.lookedUp, Math.min(2, tools.LOOKED_UP + told)),
    times(WORTH.routine, Math.min(2, tools.ROUTINE)),
  );
}

function scoresOf(signals: CaptureSignals): CaptureDecision['scores'] {
  const { telling, factShare, novelty, surprise, recapAsked, recallIntent, nearest } = signals;
  const own = 1 - factShare;
  const outcome = outcomeOf(signals) * (signals.tools.CHANGED > 0 ? 1 : own);
  const recalled = recapAsked ? WORTH.recap : WORTH.recall * recallIntent;
  // Surprise makes a story better; without one it is only another topic.
  const unexpected = WORTH.surprise * surprise * telling;
  const changed = times(WORTH.changed, Math.min(2, signals.tools.CHANGED));
  const told =
    signals.worth === null
      ? anyOf(outcome, telling * own, unexpected)
      : anyOf(signals.worth, changed, BESIDE_WORTH * outcome);
  return {
    notability: anyOf(told, recalled),
    outcome,
    telling,
    factShare,
    novelty,
    surprise,
    similarity: nearest?.similarity ?? 0,
  };
}

/**
 * Whether a closed segment becomes an episode, goes on in an earlier one of the same theme, or is left (requirements 6.1,
 * episodic capture). Cooldown and quota limit episodes, not what is merged.
 */
export function decideCapture(signals: CaptureSignals, knobs: CaptureKnobs): CaptureDecision {
  const scores = scoresOf(signals);
  const decide = (
    status: CaptureDecision['status'],
    reason: CaptureReason,
    mergeInto: number | null = null,
  ): CaptureDecision => ({ status, reason, scores, mergeInto });

  if (knobs.everything) return decide('CREATED', 'everything');
  const target = isSameTheme(signals, knobs) ? signals.nearest : null;
  const least = knobs.notabilityMin * (target ? MERGE_EASE : 1);
  if (scores.notability < least) return decide('SKIPPED', dullness(signals));
  if (scores.novelty < knobs.noveltyMin && signals.tools.CHANGED === 0) {
    return decide('SKIPPED', 'nothing new');
  }
  if (target) return decide('MERGED', 'same theme', target.id);
  if (isCooling(signals, knobs)) return decide('SKIPPED', 'cooldown');
  if (signals.createdToday >= knobs.maxPerDay) return decide('SKIPPED', 'quota');
  return decide('CREATED', merit(signals, scores));
}

function isSameTheme({ nearest }: CaptureSignals, knobs: CaptureKnobs): boolean {
  if (!nearest || nearest.hoursSince > knobs.mergeWindowHours) return false;
  return nearest.similarity >= knobs.mergeSimilarity;
}

function dullness({ factShare, routineShare }: CaptureSignals): CaptureReason {
  if (factShare >= FACT_UPDATE) return 'fact update';
  return routineShare >= ROUTINE ? 'routine' : 'low notability';
}

function isCooling({ turnsSince, minutesSince }: CaptureSignals, knobs: CaptureKnobs): boolean {
  if (turnsSince === null || minutesSince === null) return false;
  return turnsSince < knobs.cooldownTurns && minutesSince < knobs.cooldownMinutes;
}

function merit(signals: CaptureSignals, { outcome }: CaptureDecision['scores']): CaptureReason {
  if (signals.recapAsked) return 'recall intent';
  if (outcome >= WORTH.nextStep) return 'outcome';
  if (signals.surprise >= SURPRISING) return 'surprise';
  return signals.recallIntent > 0 && signals.telling < 0.3 ? 'recall intent' : 'novelty';
}
