import { normalValue } from '../../../../domain/facts/fact-key.ts';
import { pattern, source } from '../../../../language/text/pattern.ts';
import { asCorrections, type Draft, rule } from '../text/draft.ts';
import { personNameOf } from '../text/person-names.ts';
import { profile } from '../text/profile.ts';
import { AGE_END, FEW, TENS, TRAITS } from '../text/words.ts';

const NO_FIRST_NAME = pattern('iu')`
  ^(?!(?:not|on|in|the|an?|is|very|hard|too|so|spelled|spelt|pronounced|wrong|missing|misspelled|really|actually|now
  |just|already|also|still|no|all|up|often|always|never|being|something|whatever|important|irrelevant|unusual|long
  |short|common|rare|what|that|this|it|you|for|when|by|if|and|me|him|her|them|us|back|later|tomorrow|today|tonight
  |please|at|out|my|your)\b)[\p{L}\p{M}'’-]{2,25}
`;

/** A name that is spelled out: it may be any word. */
const spelled = (text: string): string | null => {
  const [lower] = NO_FIRST_NAME.exec(text.trim()) ?? [];
  return personNameOf(text) ?? lower ?? null;
};

const NAME_END = pattern('i')`
  ^(?:\s*$|\s*[,.;:!?()–—-]|\s+(?:and|from|here|btw|by the way|but|in|at|with|your|the|I|aged|nice|pleased|again
  |this side|speaking|can|could|need|please|so|writing|an?|what|how|who|one of|reporting|back|over|out)\b)
`;

const AGE = source`
  (?<age>1[0-9]|[2-9][0-9]|10[0-9]|(?:eighteen|nineteen|(?:${TENS})(?:[- ](?:one|${FEW}))?))(?!\d|[.:/]\d|[%'"°€$£])
`;

const aged = (age: string): Draft[] =>
  profile('age', age, { statement: `The user is ${age} years old.` });

const wordsOf = (name: string): string[] => normalValue(name).match(/\p{L}+/gu) ?? [];

/** Whether a name is a form of the speaker's: "Sam" of "Samuel Holt". */
const sharesName = (speaker: string | null, name: string): boolean =>
  wordsOf(speaker ?? '').some((one) =>
    wordsOf(name).some((other) => one.startsWith(other) || other.startsWith(one)),
  );

/** The name at the beginning of a text, if it is the speaker's. */
const ownName = (text: string, speaker: string | null): string | null => {
  const name = personNameOf(text, speaker);
  return name !== null && sharesName(speaker, name) ? name : null;
};

/** Whether a speaker is given by a personal name rather than as "User". Such a speaker does not give another name with "I'm King Lear". */
const isPersonal = (speaker: string | null): boolean =>
  speaker !== null &&
  /^\p{Lu}[\p{L}\p{M}'’ .-]*$/u.test(speaker) &&
  !/^(?:User|Guest|Customer|Me|Client|Human|Anonymous|Member|Speaker|You|Person)\b/i.test(speaker);

export const NAMES = [
  rule((name) => profile('full_name', spelled(name)))`
    my (?:full|complete|legal|whole|married|official|proper|passport) name (?:is|'s|reads|will be|became
    |has changed to)(?: now| actually){0,4} (?<name>.+)
  `,
  rule((name, { text }) =>
    /^the/i.test(text) && !/^\p{Lu}/u.test(name) ? null : profile('name', spelled(name)),
  )`
    (?:my|the) (?:(?:first|real|actual|given|own|new) )?name (?:is|'s|has (?:always )?been|was|should be|became
    |would be)(?: now| actually| really){0,4},? (?<name>.+)
  `,
  rule((name) => profile('nickname', calledName(name)))`
    (?:(?:from now on|in future|going forward),? )?(?:I|you (?:can|may|should|could)|feel free to|just|please|but|so
    |(?:everyone|everybody|people|folks|they)(?: at \w+| in (?:the )?\w+| here| else| on the \w+){0,4}
    |(?:my |all my |most )?(?:friends|mates|family|colleagues|folks|coworkers|teammates|people)|(?:my )?(?:mum|mom|dad
    |wife|husband|gran|grandma))? ?(?:all )?~(?:calls? me(?: by)?|knows? me as|refers? to me as) (?<name>.+)
  `,
  rule((name) => profile('nickname', calledName(name)))`
    I (?:have )?~(?:would rather |(?:would )?prefer to )?(?:go|gone|going) by (?:the name (?:of )?)?(?<name>.+)
  `,
  rule((name, { text }, { speaker }) =>
    /^known (?!as)/i.test(text) ||
    (/^I prefer (?!to be called|the name)/i.test(text) &&
      !sharesName(speaker, /^\p{Lu}[\p{L}\p{M}'’-]*/u.exec(name)?.[0] ?? '-'))
      ? null
      : profile('nickname', calledName(name)),
  )`
    (?:I am ~(?:known|called)|my (?:nick ?name|preferred name)(?: is|'s)|(?:better )?known|I prefer(?: to be called
    | the name)?|I (?:would rather|like to) be called|I answer to) (?:to (?:most people|everyone|my friends) )?
    (?:as |by )?(?<name>.+)
  `,
  rule((name) => profile('name', personNameOf(name)))`
    (?<name>\p{Lu}[\p{L}\p{M}'’-]*?)(?:'s| is) (?:the|my) name\b
  `,
  rule((name, { isContinued }, { speaker }) => {
    const value = isContinued ? null : personNameOf(name, speaker);
    if (value === null || !NAME_END.test(name.slice(value.length))) return null;
    const isSpeaker = sharesName(speaker, value);
    if (!isSpeaker && isPersonal(speaker)) return null;
    return profile('name', value, { confidence: isSpeaker ? 0.95 : 0.8 });
  })`I am (?:called )?(?<name>.+)`,
  rule((name, _match, { speaker }) => {
    const value = ownName(name, speaker);
    const rest = name.slice(value?.length);
    return NAME_END.test(rest) && !/^[.@_]\S/.test(rest) ? profile('name', value) : null;
  })`(?:it|this|here) is (?<name>.+)`,
  rule((name, _match, { speaker }) => profile('name', ownName(name, speaker)))`
    (?<name>[\p{L}'-]+(?: \p{Lu}[\p{L}'-]+)?) (?:here|this side|speaking)(?:\b(?! is| are| at \d| we| it))
  `,
];

const NOT_CALLED = pattern('i')`
  ^(?:later|back|tomorrow|today|tonight|at|on|when|if|an?|the|my|crazy|old|after|before|any|anytime|stupid|lazy|he|she
  |they|it|captain|boss|sir|master|your|him|them|her|names|out|up|first|once|again)$
`;

function calledName(text: string): string | null {
  const value = spelled(text.replace(/^(?:just|only|by|simply) /, ''));
  const isNone =
    value === null ||
    TRAITS.has(value.toLowerCase()) ||
    NOT_CALLED.test(value) ||
    /^\s*(?:but|if)\b/.test(text.slice(value.length));
  return isNone ? null : value;
}

export const AGES = [
  rule((age, { text }) => asCorrections(aged(age), /\bturned\b/.test(text)))`
    (?:I (?:have )?~(?:turned|became|(?:am|turn)(?! \d+ (?:on|in) ))|(?:just )?turned|as) ~
    (?:aged |an? )?${AGE}${AGE_END}
  `,
  rule(aged)`(?:my|the) age (?:is|'s)(?: now| actually)? ${AGE}`,
  rule((age) => asCorrections(aged(age)))`
    I (?:have )?~(?:celebrated|had) my (?<age>[2-9]\d)(?:th|st|nd|rd) birthday
  `,
  rule((age) =>
    profile('age', age, { statement: `The user is in their ${age}.`, confidence: 0.7 }),
  )`
    I am ~in my (?<age>(?:(?:early|mid|late)[- ])?(?:(?:twent|thirt|fort|fift|sixt|sevent|eight)ies|[2-8]0s))
  `,
];
