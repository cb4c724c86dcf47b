import { pattern } from '../../../../language/text/pattern.ts';

const OF_SPEAKER = /\b(?:i|i'?m|i'?ve|i'?d|i'?ll|me|my|mine|we|we'?re|we'?ve|us|our|ours)\b/i;

/** Somebody's view of a thing: "Jo says it's all hype". What a doctor says is no view. */
const VIEW = pattern('iu')`
  ^(?:(?:and|so|but|also|oh|ok|yeah|well|now)[, ]+){0,3}(?!(?:the |my )?(?:doc|doctor|dr|nurse|physio|vet|dentist)\b)
  (?:the )?(?:\p{L}+ ){1,2}(?:says|said|reckons?|thinks?|claims?|swears?) (?:that )?(?:it'?s|it is|that'?s|they'?re)\s
`;

/** Whether a sentence tells only how others see something, and nothing of the user. */
export const isHearsay = (sentence: string): boolean =>
  !OF_SPEAKER.test(sentence) && VIEW.test(sentence);
