import { pattern, source } from '../../../../language/text/pattern.ts';
import type { Draft } from './draft.ts';
import { profile } from './profile.ts';
import { CALENDAR } from './words.ts';

const ORG_TOKEN = "[\\p{Lu}\\d][\\p{L}\\p{N}\\p{M}&'’.+-]*";
const ORGANISATION = new RegExp(
  `^(?:the |an? (?=\\p{Lu}))?${ORG_TOKEN}(?: (?:(?:of|for|and|&|de|la|du|des|der|the|in|on|at(?= \\p{Lu})) ){0,4}${ORG_TOKEN}){0,4}`,
  'u',
);
const NO_NAME_AT_END = new RegExp(` (?:I|${CALENDAR})$`);
const NO_NAME = new RegExp(source`^(?:I|${CALENDAR}|Christmas|Easter|\d[\d:.]*|The|My)$`);
const NO_ORGANISATION = pattern('i')`
  ^(?:home|nights?|weekends?|days?|the moment|least|all|the|my|an?|it|this|that|our|his|her|work|once|first|present
  |random|times|night shift|school|myself|someone|somebody|free|you|me|them|hire|money|years?|hours?|another|one|two
  |some|in|on|most|heights?|different|various|multiple|several|many|local|big|small|being|about|over|nearly|almost
  |decades|ages|fun|pay|peanuts|what|which|minimum|both|sixteen|seventeen|eighteen|nineteen|twenty|thirty|six|seven
  |eight|nine|ten|noon|midnight|dawn|dusk)$
`;

const PUBLIC_BODY =
  /^the (?:city|county|university|ministry|state|government|council|bank|port|canton|diocese) of \p{Lu}[\p{L}-]+/u;
/** What may follow a name in lower case. */
const ENDS = pattern('i')`
  ^(?:\s*$|[,.;!?)]|\s(?:and|now|so|but|since|btw|in|as|these|anymore|where|for|which|can|any|what|how|we|I|on|again
  |instead)\b)
`;

export function organisationOf(text: string): string | null {
  const front = text.trim();
  const [body] = PUBLIC_BODY.exec(front) ?? [];
  if (body) return body;
  const [found] = ORGANISATION.exec(front) ?? [];
  if (found) {
    const name = found
      .replace(/(?<=\p{L}{2})[.'’]+$/u, '')
      .replace(NO_NAME_AT_END, '')
      .replace(/ (?:in|and|for|on|at|of|the)$/, '')
      .replace(/ in (?:\p{Lu}\p{L}+|\d{4}\.?)$/u, '');
    return NO_NAME.test(name) ? null : name;
  }
  const [word = ''] = /^[\p{L}\p{N}&.'-]+/u.exec(front) ?? [];
  const after = front.slice(word.length);
  const isName = word.length > 1 && !NO_ORGANISATION.test(word) && !/(?:ing|ly)$/.test(word);
  return isName && ENDS.test(after) ? word : null;
}

export const employed = (text: string): Draft[] => profile('employer', organisationOf(text));

/** The employer after an occupation: "… at Vestas". */
export function employerAfter(text: string): Draft[] {
  const [, name = ''] =
    /^[^,.;!?]{0,60}? (?:at|for|with) ((?:the )?\p{Lu}[^,;!?]*)/u.exec(text) ?? [];
  return name === '' ? [] : employed(name);
}
