import { pattern } from '../text/pattern.ts';

const GREETING = pattern('i')`
  ^(?:(?:oh|ah|ok|okay|well|so|hi|hey|hello|hiya|yo|howdy|greetings|good (?:morning|afternoon|evening|day|night)
  |there|again|everyone|how (?:are|is|have) (?:you|things|it going|everything)(?: (?:doing|been|today|tonight))*
  |how's it going|what's up|what's new|long time no see|thanks|thank you|thx|cheers|please|bye|goodbye|see you|test
  |testing|yes|no|yeah|sure|great)[\s,.!?:;)(-]*)+$
`;
const OPENS_WITH_GREETING =
  /^(?:hi|hey|hello|hiya|howdy|greetings|good (?:morning|afternoon|evening|day))\b/i;

/** Whether a text is more than a greeting or a courtesy. */
export const isMoreThanGreeting = (text: string): boolean =>
  /[\p{L}\p{N}]/u.test(text) && !GREETING.test(text.replaceAll('’', "'").trim());

/** Whether a text begins with a greeting. */
export const beginsWithGreeting = (text: string): boolean => OPENS_WITH_GREETING.test(text.trim());
