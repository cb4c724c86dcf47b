import { pattern } from '../../../../language/text/pattern.ts';
import { RELATION } from './words.ts';

/** A statement without its "I": "can't stand techno". */
const ELIDED = pattern('iu')`
  ^(?:(?:really|absolutely|just|still|also|recently) ){0,4}(?:can not (?:stand|bear|get enough|eat|drink)|(?:hate
  |loathe|love|adore) (?!is|sure|does|exist|every|all|the|how|it|that|this|these|your|can|and|to|you|my|at|for|in|will
  |has|was|when|what|being|seeing|hearing|but|or|of|from|with|on|as)[\p{L}-]+(?: |$|\.)|(?:live|work|living|based
  |working) (?:in|at|as|for)\b|grew up|gave up|given up|ditched|allergic to|never been to|stopped (?:using|eating
  |drinking|smoking)|do not (?:eat|drink|like|smoke|drive|own)|no longer (?:use|work|live|eat|drink|(?:at|with
  |in) \p{Lu})|switched (?:from|to)|moved (?:to|from)|been (?:playing|living|working|using|learning|vegan|vegetarian)
  |have (?:two|three|four|a dog|a cat|kids)|just turned|turned \d|just got (?:engaged|married|divorced|promoted)
  |never been (?:good|great|keen|a fan)|prefer|promoted to|started (?:at|working)|back (?:on|to) using|(?:cancelled
  |deleted|uninstalled|quit|dropped|dumped) \p{Lu}\p{L}*|(?:an? )?(?:big|huge|massive) fan of|not (?:into|a fan of
  |keen on|interested in|a morning person|on \p{Lu}\p{L}*)|(?:hoping|planning) to|(?:saving|putting money aside
  |training)(?: up)? (?:for|to))\b
`;
/** The left-out words are "I am": "not into techno", "working in Graz". */
const LACKS_AM = pattern('i')`
  ^not\b|^no longer (?:at|with|in)\b|^(?:an? )?(?:big|huge|massive) fan|^(?:\w+ )?(?:living|based|working|allergic
  |hoping|planning|saving|putting|training)\b
`;

/** Adds the omitted subject to a statement. */
export const withSubject = (text: string): string => {
  if (!ELIDED.test(text)) return text;
  const be = LACKS_AM.test(text)
    ? 'I am'
    : /^(?:never been|been|given up|promoted)/i.test(text)
      ? 'I have'
      : 'I';
  return `${be} ${text.charAt(0).toLowerCase()}${text.slice(1)}`;
};

const AND_I = pattern('iu')`
  \b(?:my (?:${RELATION}|family)(?: \p{Lu}[\p{L}'-]*)? and I|me and my (?:${RELATION}|family))(?= (?:are|have|live
  |do not|love|hate|want|plan|never|own|both|use|just|would|hope|moved|got|adopted|eat|like)\b)
`;

const DOCTOR_SAID = pattern('i')`
  ^(?:(?:and|so|but) )?(?:my|the) (?:doctor|gp|nurse|dentist|physio|optician|cardiologist|allergist) (?:told me|says
  |said|tells me|thinks|confirmed)(?: that)? (?=I (?:have|am|should not|can not)\b)
`;
/** "Being a night nurse, I …", "As a vegan my …". In "As a child I could …" it says when, not what the user is. */
const BEING_A =
  /^(?:(?:and|so|but) )?(?:being|as) (an? [^,.;!?]{3,40}?)(?:, | (?=I\b|my\b))(?!I could\b)/i;

/** Simplifies the subject: "my partner and I" → "we"; "Being a night nurse, …" → "I am a night nurse". */
export const withPlainSubject = (sentence: string): string =>
  sentence.replace(AND_I, 'we').replace(BEING_A, 'I am $1, ').replace(DOCTOR_SAID, '');
