import { pattern } from '../text/pattern.ts';

/** Says that something else was meant, without saying what. */
const DENIAL = pattern('i')`
  \b(?:that|this|it)(?:'s| is|s) not what i (?:mean|meant|asked|ask|was asking|want|wanted|was talking|said)
  |\bi (?:did not|didn't|do not|don't) mean (?:that|this|the (?:other|last|previous))|\bnot (?:that|the) (?:one
  |other|last|previous|old)\b.{0,20}$|\b(?:wrong|different|another|separate|unrelated) (?:thread|conversation|topic
  |subject|matter|question|thing)\b|\b(?:nothing|not) (?:to do with|about|related to) (?:that|this|what we)|\bi(?:'m
  | am) (?:talking|asking) about something else\b
`;

/** Whether the user says that something else was meant: "that's not what I meant". */
export const isDenial = (text: string): boolean =>
  DENIAL.test(text.replaceAll('’', "'").replace(/\s+/g, ' '));
