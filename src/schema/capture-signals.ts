import type { CaptureRecord } from '../domain/capture.ts';
import { builder } from './builder.ts';

export const CaptureSignalsType = builder.objectRef<CaptureRecord>('CaptureSignals').implement({
  description:
    'What decided whether a segment became an episode (seed 002). Shares and scores are 0-1, the others counts.',
  fields: (t) => ({
    notability: t.exposeFloat('notability', { description: 'How worth an episode it is, in all.' }),
    outcome: t.exposeFloat('outcome', { description: 'How much came of it.' }),
    telling: t.exposeFloat('telling', {
      description: 'How much people tell of what happened, is and will be.',
    }),
    factShare: t.exposeFloat('factShare', {
      description: 'How much of that is only there to be noted as a fact.',
    }),
    routineShare: t.exposeFloat('routineShare', {
      description: 'How much of what people say only asks, orders or reacts.',
    }),
    novelty: t.exposeFloat('novelty', {
      description: 'Share of its words that no recent episode holds.',
    }),
    surprise: t.exposeFloat('surprise', { description: 'How unexpected its opening was.' }),
    similarity: t.exposeFloat('similarity', {
      description: 'How surely it has the theme of the likest episode of the merge window.',
    }),
    decisions: t.exposeInt('decision', { description: 'Decisions taken.' }),
    nextSteps: t.exposeInt('nextStep', { description: 'Next steps set.' }),
    milestones: t.exposeInt('milestone', { description: 'Milestones reached.' }),
    toolResults: t.exposeInt('toolResult', { description: 'Results of tools.' }),
    toolChanges: t.exposeInt('toolChanges', { description: 'Tool calls that changed something.' }),
    recapAsked: t.exposeBoolean('recapAsked', { description: 'A summing up was asked for.' }),
    recallIntent: t.exposeFloat('recallIntent', {
      description: 'How surely earlier talk was asked for.',
    }),
    turnsSince: t.exposeInt('turnsSince', {
      nullable: true,
      description: 'Turns since the last episode; null if there was none.',
    }),
    minutesSince: t.exposeFloat('minutesSince', {
      nullable: true,
      description: 'Minutes since the last episode; null if there was none.',
    }),
    createdToday: t.exposeInt('createdToday', {
      description: "Episodes created on the same day of the user's.",
    }),
  }),
});
