import { CAPTURE_KNOBS, type CaptureRecord } from '../../domain/episodes/capture.ts';
import { builder } from '../core/builder.ts';

export const CaptureSignalsType = builder.objectRef<CaptureRecord>('CaptureSignals').implement({
  description:
    'The measurements behind a capture decision. Shares, scores and probabilities are 0-1; the others are ' +
    'counts, minutes, or true or false.',
  fields: (t) => ({
    notability: t.exposeFloat('notability', {
      description:
        'How much the segment deserves an episode, by its content, its outcomes and what was asked for. Below ' +
        `${CAPTURE_KNOBS.notabilityMin} it is skipped, unless \`everything\` is set; half of that is enough for ` +
        'a segment that continues the theme of a recent episode.',
    }),
    outcome: t.exposeFloat('outcome', {
      description:
        'How much resulted from the conversation: decisions, next steps, milestones and tool calls, of which ' +
        'those that changed something count most. Reduced by `factShare`, unless a tool changed something.',
    }),
    telling: t.exposeFloat('telling', {
      description:
        'Narrative content: how much people told of events, states and plans. 0-1: each such sentence brings it ' +
        'closer to 1.',
    }),
    factShare: t.exposeFloat('factShare', {
      description:
        'The share of the narrative content (`telling`) that only states facts, which are stored as facts anyway.',
    }),
    routineShare: t.exposeFloat('routineShare', {
      description:
        'The share of what people said, by sentences, that only asks, gives orders or reacts; 1 if no person said anything.',
    }),
    novelty: t.exposeFloat('novelty', {
      description:
        "The share of the words of the segment's theme that are new, compared with the recent episode that " +
        'shares the most of them; 1 if there is none.',
    }),
    surprise: t.exposeFloat('surprise', {
      description:
        'How unexpected the opening of the segment was after what came before, or how momentous the news in it is: the higher of both, 0-1.',
    }),
    similarity: t.exposeFloat('similarity', {
      description:
        'The probability that the most similar episode within the merge window has the same theme; 0 if there is ' +
        'no such episode.',
    }),
    decisions: t.exposeInt('decision', {
      description: 'How many decisions were taken in the segment.',
    }),
    nextSteps: t.exposeInt('nextStep', {
      description: 'How many next steps were agreed in the segment.',
    }),
    milestones: t.exposeInt('milestone', {
      description:
        'How many milestones were reached in the segment: something was finished, passed, shipped or booked.',
    }),
    toolResults: t.exposeInt('toolResult', {
      description: 'How many tool results are named as outcomes in the description of the segment.',
    }),
    toolChanges: t.exposeInt('toolChanges', {
      description: 'How many tool calls changed something, such as a booking.',
    }),
    recapAsked: t.exposeBoolean('recapAsked', {
      description: 'Whether a person asked for a summary of what was said.',
    }),
    recallIntent: t.exposeFloat('recallIntent', {
      description:
        'The probability that a person asked for earlier conversation; 0 if nobody seems to.',
    }),
    turnsSince: t.exposeInt('turnsSince', {
      nullable: true,
      description:
        'Turns of the whole memory, by anybody, since the end of the last segment that was created or merged, ' +
        'including those of this one; counted up to 1,000. Null if there was no such segment.',
    }),
    minutesSince: t.exposeFloat('minutesSince', {
      nullable: true,
      description:
        'Minutes from the end of the last segment that was created or merged to the end of this one; null if there was none.',
    }),
    createdToday: t.exposeInt('createdToday', {
      description:
        "How many other episodes were created on the day on which the segment ended, by the user's calendar.",
    }),
  }),
});
