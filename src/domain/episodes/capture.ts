import type { CaptureSignals } from './capture-signals.ts';
import { KEY_MOMENT } from './forgetting.ts';

/** The state of a closed segment: not decided yet, an episode of its own, merged into an earlier one, or skipped. */
const CAPTURE_STATUSES = ['PENDING', 'CREATED', 'MERGED', 'SKIPPED'] as const;
export type CaptureStatus = (typeof CAPTURE_STATUSES)[number];

/** How selective capture is (requirements 6.10, EPISODIC_*). */
export type CaptureKnobs = {
  /** Every segment becomes an episode. */
  everything: boolean;
  /** Turns or minutes after which an episode may follow another. */
  cooldownTurns: number;
  cooldownMinutes: number;
  /** Episodes created on one day of the user; merging is not limited. */
  maxPerDay: number;
  /** The smallest share of a segment's words that no recent episode contains. */
  noveltyMin: number;
  /** How long after an episode a segment of its theme can be merged into it, in hours. */
  mergeWindowHours: number;
  /** The probability from which two segments have the same theme. */
  mergeSimilarity: number;
  /** The notability from which a segment becomes an episode, 0-1. */
  notabilityMin: number;
  /** How many of its newest turns an episode is described by. */
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
  notabilityMin: 0.36,
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

/** What a decision was based on, as it is stored with it. */
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
  const intents = { recapAsked, recallIntent, routineShare };
  const before = { turnsSince, minutesSince, createdToday };
  return { ...scores, ...outcomes, toolChanges: tools.CHANGED, ...intents, ...before };
}

/** How many of the newest episodes a segment is compared with. */
export const NEWEST_COMPARED = 12;

/** How strongly each sign on its own supports an episode; together they are combined as independent probabilities. */
const WORTH = {
  decision: 0.5,
  milestone: 0.45,
  nextStep: 0.25,
  /** A tool changed something; each further change adds. */
  changed: 0.45,
  /** A tool failed to change something. */
  failed: 0.2,
  /** A tool looked something up. */
  lookedUp: 0.05,
  routine: 0.03,
  recap: 0.6,
  recall: 0.4,
  surprise: 0.15,
} as const;
/** A segment with at least this share of facts is a fact update. */
export const FACT_UPDATE = 0.5;
/** A segment of which at least this share asks, orders or reacts is routine. */
const ROUTINE = 0.5;

/** A segment that continues a known theme needs less notability: it creates no new episode. */
const MERGE_EASE = 0.5;
/** The weight of outcomes beside the worth of the words, which includes them already. */
const BESIDE_WORTH = 0.3;
/** The probability that at least one of several independent signs holds. */
const anyOf = (...chances: number[]): number =>
  1 - chances.reduce((none, chance) => none * (1 - chance), 1);

const times = (worth: number, count: number): number => 1 - (1 - worth) ** count;

function outcomeOf({ outcomes, tools }: CaptureSignals): number {
  // Tools that only the description mentions count as lookups, since it does not say what they did.
  const seen = tools.CHANGED + tools.FAILED + tools.LOOKED_UP + tools.ROUTINE;
  const mentionedOnly = Math.max(0, outcomes.toolResult - seen);
  return anyOf(
    outcomes.decision > 0 ? WORTH.decision : 0,
    outcomes.milestone > 0 ? WORTH.milestone : 0,
    outcomes.nextStep > 0 ? WORTH.nextStep : 0,
    times(WORTH.changed, Math.min(2, tools.CHANGED)),
    times(WORTH.failed, Math.min(2, tools.FAILED)),
    times(WORTH.lookedUp, Math.min(2, tools.LOOKED_UP + mentionedOnly)),
    times(WORTH.routine, Math.min(2, tools.ROUTINE)),
  );
}

function scoresOf(signals: CaptureSignals): CaptureDecision['scores'] {
  const { telling, factShare, novelty, surprise, recapAsked, recallIntent, nearest } = signals;
  const beyondFacts = 1 - factShare;
  const outcome = outcomeOf(signals) * (signals.tools.CHANGED > 0 ? 1 : beyondFacts);
  const recalled = recapAsked ? WORTH.recap : WORTH.recall * recallIntent;
  // Surprise makes a story more notable; without a story it is only a new topic.
  const unexpected = WORTH.surprise * surprise * telling;
  const changed = times(WORTH.changed, Math.min(2, signals.tools.CHANGED));
  const content =
    signals.worth === null
      ? anyOf(outcome, telling * beyondFacts, unexpected)
      : anyOf(signals.worth, changed, BESIDE_WORTH * outcome);
  return {
    notability: anyOf(content, recalled),
    outcome,
    telling,
    factShare,
    novelty,
    surprise,
    similarity: nearest?.similarity ?? 0,
  };
}

/**
 * Whether a closed segment becomes an episode, is merged into an earlier one of the same theme, or is skipped (requirements 6.1,
 * episodic capture). Cooldown and quota limit new episodes, but neither merging nor key moments.
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
  if (signals.surprise < KEY_MOMENT) {
    if (isCooling(signals, knobs)) return decide('SKIPPED', 'cooldown');
    if (signals.createdToday >= knobs.maxPerDay) return decide('SKIPPED', 'quota');
  }
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
  if (signals.surprise >= KEY_MOMENT) return 'surprise';
  return signals.recallIntent > 0 && signals.telling < 0.3 ? 'recall intent' : 'novelty';
}
