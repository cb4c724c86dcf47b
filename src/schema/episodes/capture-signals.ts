import { CAPTURE_KNOBS, type CaptureRecord } from '../../domain/episodes/capture.ts';
import { builder } from '../core/builder.ts';

export const CaptureSignalsType = builder.objectRef<CaptureRecord>('CaptureSignals').implement({
  description:
    'The measurements behind a capture decision. Shares, scores and probabilities are 0-1; the others are ' +
    'counts, minutes, or true or false.',
  fields: (t) => ({
    notability: t.exposeFloat('notability', {
      description:
        'How much the segment deserves an episode, 0-1, by its content, its outcomes and whether a person asked for a summary ' +
        `or for earlier conversation. Below ${CAPTURE_KNOBS.notabilityMin} the segment is skipped; if it continues the theme of ` +
        'a recent episode, below half of that. Imports and users with `CaptureSettings.everything` have no such bound.',
    }),
    outcome: t.exposeFloat('outcome', {
      description:
        'How much resulted from the segment: decisions, next steps, milestones and tool calls. A tool call that changed ' +
        'something counts more than another. The value is reduced by `factShare`, unless a tool changed something.',
    }),
    telling: t.exposeFloat('telling', {
      description:
        'Narrative content, 0-1: how much people told of events, states and plans. Each sentence that tells of one brings the ' +
        'value closer to 1.',
    }),
    factShare: t.exposeFloat('factShare', {
      description:
        'By what share `telling` would be lower without the turns that state facts to be noted, such as answers to questions ' +
        'about the person; 0-1. Low if the other turns alone bring `telling` near 1, as in a long segment. 1 if there are such ' +
        'turns and `telling` is 0.',
    }),
    routineShare: t.exposeFloat('routineShare', {
      description:
        "The share of people's sentences that only ask, give orders or react; 1 if no person said anything.",
    }),
    novelty: t.exposeFloat('novelty', {
      description:
        "The share of the words of the segment's theme that an earlier episode does not have. The newest earlier episodes are " +
        'compared one by one, however long ago they ended, and the lowest share counts; 1 if there are none.',
    }),
    surprise: t.exposeFloat('surprise', {
      description:
        'How unexpected the opening of the segment was after what came before, or how momentous the news anywhere in the segment ' +
        'is: the higher of both, 0-1. An opening at the start of a thread or after a long silence counts as 0.',
    }),
    similarity: t.exposeFloat('similarity', {
      description:
        'The probability that the most similar episode within the merge window has the same theme; 0 if there is ' +
        'no such episode.',
    }),
    decisions: t.exposeInt('decision', {
      description: 'How many decisions were found in the segment.',
    }),
    nextSteps: t.exposeInt('nextStep', {
      description: 'How many next steps were found in the segment.',
    }),
    milestones: t.exposeInt('milestone', {
      description:
        'How many milestones were found in the segment: for example, something was finished, passed, shipped or booked. The ' +
        'built-in rules find at most one in each turn.',
    }),
    toolResults: t.exposeInt('toolResult', {
      description: 'How many of the outcomes found in the segment are results of tools.',
    }),
    toolChanges: t.exposeInt('toolChanges', {
      description:
        'How many tool calls of the segment count as changes, such as a booking, judged by their names alone: all that ' +
        'succeeded, except those named for reading ("search", "get") or for everyday matters, such as lights, timers, notes, ' +
        'contacts or settings.',
    }),
    recapAsked: t.exposeBoolean('recapAsked', {
      description: 'Whether a person asked for a summary of what was said, or to keep one.',
    }),
    recallIntent: t.exposeFloat('recallIntent', {
      description:
        'The probability that a person asked for earlier conversation; 0 if there is no sign of it.',
    }),
    turnsSince: t.exposeInt('turnsSince', {
      nullable: true,
      description:
        'Turns in all threads, by anybody, after the end of the last segment whose `capture` is CREATED or MERGED, up to the end ' +
        'of this one; counted up to 1,000. Null if there was no such segment before.',
    }),
    minutesSince: t.exposeFloat('minutesSince', {
      nullable: true,
      description:
        'Minutes from the end of the last segment whose `capture` is CREATED or MERGED to the end of this one; null if there was ' +
        'no such segment before.',
    }),
    createdToday: t.exposeInt('createdToday', {
      description:
        "How many other segments that ended on the day on which this one ended, in the user's time zone, had `capture` CREATED " +
        'when the decision was made.',
    }),
  }),
});
