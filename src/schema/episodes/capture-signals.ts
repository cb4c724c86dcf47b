import type { CaptureRecord } from '../../domain/episodes/capture.ts';
import { builder } from '../core/builder.ts';

export const CaptureSignalsType = builder.objectRef<CaptureRecord>('CaptureSignals').implement({
  description:
    'The measurements behind a capture decision. Shares and scores are 0-1; the others are counts.',
  fields: (t) => ({
    notability: t.exposeFloat('notability', {
      description:
        'How much the segment deserves an episode, computed from all other signals. Below the threshold it is skipped.',
    }),
    outcome: t.exposeFloat('outcome', {
      description:
        'How much resulted from the conversation: tool changes, decisions, next steps and milestones together.',
    }),
    telling: t.exposeFloat('telling', {
      description: 'How much of what people said narrates events, states or plans.',
    }),
    factShare: t.exposeFloat('factShare', {
      description:
        'How much of that narrative content only states facts, which are stored as facts anyway.',
    }),
    routineShare: t.exposeFloat('routineShare', {
      description: 'How much of what people said only asks, orders or reacts.',
    }),
    novelty: t.exposeFloat('novelty', {
      description: "Share of the segment's words that no recent episode contains.",
    }),
    surprise: t.exposeFloat('surprise', {
      description: 'How unexpected the opening of the segment was after what came before.',
    }),
    similarity: t.exposeFloat('similarity', {
      description:
        'Similarity to the most similar episode within the merge window, as the probability that both have the same theme.',
    }),
    decisions: t.exposeInt('decision', {
      description: 'Decisions that were taken in the segment.',
    }),
    nextSteps: t.exposeInt('nextStep', {
      description: 'Next steps that were agreed in the segment.',
    }),
    milestones: t.exposeInt('milestone', {
      description: 'Milestones that were reached in the segment.',
    }),
    toolResults: t.exposeInt('toolResult', { description: 'Tool calls that returned a result.' }),
    toolChanges: t.exposeInt('toolChanges', {
      description: 'Tool calls that changed something, such as a booking.',
    }),
    recapAsked: t.exposeBoolean('recapAsked', {
      description: 'Whether somebody asked for a summary of what was said.',
    }),
    recallIntent: t.exposeFloat('recallIntent', {
      description: 'The probability that somebody asked about earlier talk.',
    }),
    turnsSince: t.exposeInt('turnsSince', {
      nullable: true,
      description: 'Turns since the last created episode; null if there was none.',
    }),
    minutesSince: t.exposeFloat('minutesSince', {
      nullable: true,
      description: 'Minutes since the last created episode; null if there was none.',
    }),
    createdToday: t.exposeInt('createdToday', {
      description: "Episodes that were already created on the same day, by the user's calendar.",
    }),
  }),
});
