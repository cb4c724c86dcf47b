import type { Context } from '../../context.ts';
import type { ComparedTurn as Turn } from '../../db/links/compared-turns.ts';
import type { LinkDraft as Draft } from '../../db/links/links.ts';
import {
  algorithmicAssessment,
  algorithmicScore,
  decideLink,
  type LinkingParts,
  type LinkingSetting,
} from '../../domain/links/linking.ts';
import { recencyMatch } from '../../domain/links/linking-parts.ts';
import type { LinkingProgress } from '../../domain/links/linking-progress.ts';
import type { ReasonerAssessment } from '../../reasoner/reasoner.ts';

/** A new thread with its first turns, and an earlier thread with its last ones. */
export type Pair = {
  thread: { id: number; startedAt: Date; turns: number };
  opening: Turn[];
  earlier: { threadId: number; turns: Turn[]; summary: string | null; lastActivityAt: Date };
  /** The reasoner's assessment when the new thread had fewer turns; null if there is none. */
  assessed: ReasonerAssessment | null;
};

/** How many threads a user has, and in how many of them each term occurs. */
type Statistics = { threads: number; threadsWith: ReadonlyMap<string, number> };

/**
 * Awaits both assessments of a pair, publishes each as it arrives, and decides about the link (requirements 11.4).
 * @param parts the algorithm's comparison in progress
 * @param asked the reasoner's assessment in progress
 */
export async function assessPair(
  ctx: Context,
  userId: string,
  {
    setting,
    pair,
    parts: compared,
    asked,
  }: {
    setting: LinkingSetting;
    pair: Pair;
    parts: Promise<LinkingParts>;
    asked: Promise<ReasonerAssessment>;
  },
): Promise<Draft> {
  const which = { threadId: pair.thread.id, earlierThreadId: pair.earlier.threadId };
  const report = (progress: Omit<LinkingProgress, 'threadId' | 'earlierThreadId'>) =>
    ctx.publisher.publishProgress(userId, { of: 'linking', ...which, ...progress });
  const { threshold, weights } = setting;
  const byRules = async () => {
    const parts = await compared;
    const { score } = algorithmicScore(parts, weights);
    const assessment = algorithmicAssessment(score, threshold);
    report({ stage: 'ALGORITHM', algorithm: { score, parts, ...assessment } });
    return { parts, score, ...assessment };
  };
  const byReasoner = async () => {
    const assessment = await asked;
    const { related, confidence } = assessment;
    report({ stage: 'REASONER', reasoner: { related, confidence } });
    return assessment;
  };
  const [algorithm, reasoner] = await Promise.all([byRules(), byReasoner()]);
  const { verdict, certainty, fused } = decideLink(algorithm, reasoner);
  return {
    ...which,
    ...algorithm.parts,
    turns: pair.thread.turns,
    algorithmicScore: algorithm.score,
    algorithmicRelated: algorithm.related,
    algorithmicConfidence: algorithm.confidence,
    reasonerRelated: reasoner.related,
    reasonerConfidence: reasoner.confidence,
    reasoning: reasoner.reasoning,
    keySignals: reasoner.keySignals,
    generatedBy: ctx.reasoner.generatedBy,
    model: ctx.reasoner.modelOf('assess-relatedness'),
    threshold,
    weights,
    verdict,
    certainty,
    fusedScore: fused,
  };
}

/** The similarity of a pair by each part of the algorithm. */
export async function partsOf(
  { embedder, config, rules }: Context,
  userId: string,
  { statistics, thread, opening, earlier }: Pair & { statistics: Statistics },
): Promise<LinkingParts> {
  const novelty = embedder?.profile.thresholds.novelty ?? null;
  const talks = { before: earlier.turns, after: opening, novelty, ...statistics };
  const { recentHours } = config.linking;
  return {
    ...(await rules.compareTalks(talks, { userId })),
    recency: recencyMatch(
      earlier.turns.at(-1)?.occurredAt ?? earlier.lastActivityAt,
      thread.startedAt,
      recentHours,
    ),
  };
}
