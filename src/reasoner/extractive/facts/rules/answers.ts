import { pattern, source } from '../../../../language/text/pattern.ts';
import { trimEndOf } from '../../../../language/text/trim-end.ts';

/** How many characters from the end of a question are read: what it asks is near its end. */
const QUESTION = 300;

/** The question in a sentence. "It depends a lot on where you live." is one, too. */
function asked(sentence: string): string | null {
  if (sentence.endsWith('?')) return sentence.length > 1 ? sentence : null;
  const from = sentence.search(/\bdepends /);
  const place = from < 0 ? null : /\bwhere you (?:live|are)\b/.exec(sentence.slice(from));
  return place === null ? null : sentence.slice(0, from + place.index + place[0].length);
}

/** The question with which a text ends. */
const lastQuestion = (text: string): string | null =>
  (text.match(/[^.!?\n]+[.!?\n]?|[.!?\n]/g) ?? [])
    .map(asked)
    .findLast((question) => question !== null)
    ?.trim()
    .slice(-QUESTION) ?? null;

const MAY_I = source`
  what is|what's|may I (?:have|ask|know)|can I (?:have|get|ask|take)|could I (?:have|get|take)|tell me
  |could you (?:give|tell) me|and
`;
const WHOSE = 'wife|husband|partner|sister|brother|dog|cat|son|daughter|boss|girlfriend|boyfriend';

/** Sentences that answers complete, each with the questions about the user that they answer. */
const FRAMES: readonly (readonly [string, RegExp])[] = Object.entries({
  'I am {}': /\bhow old are you\b|\byour age\b|\bwhat age are you\b/i,
  'my full name is {}': pattern('i')`\b(?:${MAY_I}) your (?:full|legal|complete) name\b`,
  'my name is {}': pattern('i')`
    \b(?:${MAY_I}) your (?:first )?name\b|\bwhat (?:should|can|shall|may|do) I call you\b|\bwho am I (?:talking
    |speaking) (?:to|with)\b
  `,
  'I live in {}': pattern('i')`
    \bwhere (?:do you live|are you (?:based|located|living)|do you reside|is home)\b|\bwh(?:at|ich) (?:city|town
    |country) (?:are you (?:in(?! (?:mind|need))|based|from)\b(?! interested)|do you live)\b|\bdepends (?:a (?:bit
    |lot) )?(?:on )?where you (?:live|are)\b|\bwhere in the world are you\b
  `,
  'I grew up in {}': pattern('i')`
    \bwhere (?:are you|do you come) (?:originally )?from\b|\bwhere did you grow up\b|\bwhere were you born\b
  `,
  'I work as a {}': pattern('i')`
    \bwhat do you do(?: for (?:a living|work)| professionally)?\s*\?|\bwhat kind of work do you do\b|\bwhat(?:'s
    | is) your (?:job|occupation|profession|line of work|role)\b|\bwhat do you work as\b
  `,
  'I work at {}': pattern('i')`
    \bwhere do you work\b|\bwho do you work for\b|\bwho(?:'s| is) your employer\b|\bwhich company (?:do you work
    |are you)\b
  `,
  'I study {}': pattern('i')`
    \bwhat(?:'s| is) your (?:subject|major|field of study|degree)\b|\bwhat (?:do|are) you stud(?:y|ying)\b
  `,
  'I study at {}': pattern('i')`
    \bwhere do you (?:study|go to (?:school|university|college))\b|\bwhich (?:school|university|college) do you\b
  `,
  'my birthday is {}': pattern('i')`
    \bwhen(?:'s| is) your birthday\b|\bwhen were you born\b|\b(?:your|and) (?:date of birth|birth date|birthday)\b
  `,
  'my email is {}': pattern('i')`
    \byour (?:preferred |best |current )?(?:e-?mail)(?: address)?\b|\b(?:which|what) e-?mail\b
  `,
  'my phone number is {}': pattern('i')`
    \byour (?:(?:preferred|best|current|mobile|cell) )?(?:phone|telephone|mobile|contact)?(?: |-)?number\b
    |\bwhat number can\b|\bwhich number\b
  `,
  'my pronouns are {}': /\b(?:your (?:preferred )?|what |which )pronouns\b/i,
  'my time zone is {}': /\b(?:which|what|your) time ?zone\b/i,
  'my native language is {}': pattern('i')`
    \byour (?:native language|mother tongue|first language)\b|\bwhat language do you speak at home\b
  `,
  'I am allergic to {}': pattern('i')`
    \b(?:do you have|have you got|any|are there any)(?: \w+)? allergies\b|\bare you allergic to (?:anything|something
    |any)\b|\bwhat are you allergic to\b
  `,
  "I'm {}": /\b(?:dietary (?:requirements|restrictions|needs|preferences)|special diet|diet)\b/i,
  'I have {}': pattern('i')`
    \bdo you have (?:any )?(?:pets|a pet|animals|kids|children)\b|\b(?:any|how many) (?:pets|kids|children)\b
  `,
  'I use {}': pattern('i')`
    \b(?:which|what) (?:editor|ide|browser|phone|operating system|os|app|tool|program|software|search engine|calendar
    |e-?mail client|language|framework|database|shell|note-taking app|distro)(?: [\w'-]+){0,6} (?:do|are) you (?:use
    |using|code in|prefer|work with|on|run|write in)\b
  `,
  'my favourite $1 is {}': /\bwhat(?:'s| is) your favou?rite ([\p{L} ]{3,30})\?/iu,
  'I am into {}': pattern('i')`
    \bwhat are your hobbies\b|\bany hobbies\b|\bwhat do you (?:like to )?do (?:for fun|in your (?:free|spare) time)\b
  `,
  'my goal is {}': pattern('i')`
    \bwhat(?:'s| is) your (?:main |biggest |current |long-term )?(?:goal|aim|target)\b|\bwhat are you (?:training
    |saving) for\b
  `,
  'my website is {}': /\bwhat(?:'s| is) your (?:website|site|blog|url)\b/i,
  "my $1$2's name is {}": pattern('i')`
    \bwhat(?:'s| is) your (${WHOSE})'s name\b|\bwhat(?:'s| is) the name of your (${WHOSE})\b
  `,
});
type Frame = (typeof FRAMES)[number];

/** Yes-or-no questions that contain the fact. */
const YES_NO = pattern('i')`
  ^(?:(?:and|so|ok|okay|sure|great|good question|quick question|right)[,.! ]+){0,4}(?:(are you) (?:an? )?(?=vegan
  |vegetarian|pescatarian|diabetic|married|left-handed|colou?r-?blind|allergic|lactose)|(do you) (?=use|smoke|drink
  |eat (?:meat|pork|fish|dairy|gluten|eggs)|have (?:kids|children|pets|a (?:car|dog|cat|driving licen[cs]e))|speak
  |play|like|drive))
`;

const NO_ANSWER = pattern('i')`
  ^(?:why|what|how|who|when|where|does|do|is|are|can|could|should|no idea|not sure|it depends|depends|none of
  |never mind|skip|pass|later|guess|secret|i'?d rather|rather not|you tell|that'?s|sorry|hm+|well,? that|nothing|nope
  |no|none|yes|yep|maybe|i (?:do not|don'?t) know|dunno|idk|private|fine|good|ok|okay|sure|thanks|bit|just|not|nowhere
  |somewhere|everywhere|here|there|at home|home|anything|everything|any|all|that|this|they|nice|wow|cool|awesome
  |amazing|ha[ah]*|lol|oh|same|like|as|because|if|when|while|with|thinking|trying|working(?! out)|really|truly|very
  |quite|pretty|too|lots?|many|some|a (?:lot|bit|few)|whatever|whichever|both|neither|old enough|too old|long|great
  |the same|same)\b
`;
const LEADS = pattern('i')`
  ^(?:(?:oh|ah|um+|uh|er+|well|so|it'?s|its|it is|that'?s|that would be|they'?re|they are|mostly|mainly|probably|i'?m
  |im|i am|sure|yes|yeah|yep|hi|hey|currently|right now|at the moment|of course|ok|okay|only|just|usually|my (?:name
  |age|e-?mail|birthday|number|job|city) is)[,:! ]+)+
`;

/** Completes a short reply: "Lisbon" after "Where do you live?" → "I live in Lisbon". Null if the reply is complete or says nothing. */
export function answerInFull(question: string | null, reply: string): string | null {
  const asked = question === null ? null : lastQuestion(question.replaceAll('’', "'"));
  if (asked === null || reply.trim() === '') return null;
  const first = reply.replaceAll('’', "'").trim();
  const polar = YES_NO.exec(asked);
  if (polar) return polarAnswer(asked.slice(polar[0].length), polar[1] !== undefined, first);
  const both = answersToBoth(asked, first);
  if (both !== null) return both;
  const frame = FRAMES.find(([, questions]) => questions.test(asked));
  if (!frame || /^[^.!]{0,60}\?/.test(first)) return null;
  const bare = first.replace(LEADS, '');
  const [answer = ''] = bare.split(
    /[.!;\n](?=\s|$)|,? (?:but|why|because|so|though|and (?:I|my|we|you|it|can|please))\b| - | – |:\)/i,
  );
  const isSentence =
    answer.split(/\s+/).length > 8 || /^(?:I|we|my|you|he|she|they)\b/i.test(answer);
  if (answer === '' || isSentence || NO_ANSWER.test(answer)) return null;
  return completed(frame, asked, answer);
}

/** The sentence that an answer completes. */
function completed([frame, questions]: Frame, asked: string, answer: string): string | null {
  const isWhere = /^(?:in|at|for|from|near|around|outside|on) /i.test(answer);
  const isJob = frame.startsWith('I work as a ');
  if (isJob && isWhere) return /^(?:in|at|for) /i.test(answer) ? `I work ${answer}` : null;
  if (isWhere && !/^I (?:live|grew|work|study)|birthday/.test(frame)) return null;
  const matched = questions.exec(asked) ?? [];
  const full = frame.replace('$1', matched[1] ?? '').replace('$2', matched[2] ?? '');
  return full.replace('{}', answer.replace(isJob ? /^an? /i : /^(?:in|at|near|around) /i, ''));
}

/** Completes a reply to a double question: "Lydia Marsh, 12 June" after "your name and date of birth?". */
function answersToBoth(asked: string, reply: string): string | null {
  const parts = trimEndOf(reply, /[.!]/).split(/, | and /);
  if (parts.length !== 2 || !/ and /.test(asked) || /[.!?]\s/.test(reply)) return null;
  const frames = FRAMES.filter(([, questions]) => questions.test(asked));
  const [one, two] = frames;
  if (frames.length !== 2 || !one || !two) return null;
  const first = asked.search(one[1]) <= asked.search(two[1]) ? [one, two] : [two, one];
  return first.map(([frame], index) => frame.replace('{}', parts[index] ?? '')).join('. ');
}

function polarAnswer(predicate: string, isBeing: boolean, reply: string): string | null {
  const isYes = /^(?:yes|yeah|yep|yup|i am|i do|sure do|sure am|indeed|correct)\b/i.test(reply);
  const isNo = /^(?:no|nope|nah|never|not|i'?m not|i don'?t)\b/i.test(reply);
  if (isYes === isNo || /^[^.!]{0,30}\?/.test(reply)) return null;
  const said = predicate
    .replace(/\?$/, '')
    .replace(/\b(?:any|your)\b ?/gi, (word) => (/your/i.test(word) ? 'my ' : ''));
  if (/\bor\b|\bthis|that|it\b/i.test(said)) return null;
  return isBeing ? `I am ${isYes ? '' : 'not '}${said}` : `I ${isYes ? '' : 'do not '}${said}`;
}
