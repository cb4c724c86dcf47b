import { MONTH_NAMES, WEEKDAY } from '../../../../language/en/time/named-date.ts';
import { pattern, source } from '../../../../language/text/pattern.ts';
import { trimEndOf } from '../../../../language/text/trim-end.ts';
import { plainEnglish } from '../../text/plain-english.ts';
import { withPlainSubject, withSubject } from './subjects.ts';

/** A place in a sentence where a statement may begin. */
export type Clause = {
  /** From there to the end of the sentence, without introductory words. */
  text: string;
  /** The same up to the beginning of the next clause. */
  own: string;
  /** Stated as true, or only on a condition ("if I ask …, …"). Instructions may have a condition. */
  mood: 'STATED' | 'CONDITIONAL';
  /** Whether the sentence has cues of a correction or a change. */
  isCorrection: boolean;
  /** Whether it is a predicate that shares the subject of the clause before it: "I am Zed, 27". */
  isContinued: boolean;
  /** The whole sentence, by which one-off requests are recognised. */
  sentence: string;
};

const JOINT = source`
  (?:and then|and|but|so|or|because|cause|cuz|since|as|though|although|while|plus|yet|hence|meaning|given that|given
  |seeing as|seeing that|considering|except|only that|which means|especially since|mainly because)
`;
const SUBJECT = source`
  (?:(?:now|then|these days|today|apparently|luckily|sadly|unfortunately|actually|since then|for now|right now
  |still) )?(?:I|my|we|our|he|she|it|they|his|her|their|mine|please|from now on|don't|do not|can you|could you
  |would you|what|how|where|which|when|why|is it|is there|no more|everyone|everybody|people|friends|most people
  |that is)\b
`;
const PREDICATE = source`
  (?:live|work|have|love|hate|prefer|speak|use|collect|play|study|come|grew|moved|go|never|always|drive|own|run|teach
  |enjoy|dislike|adore|just turned|turned|am|was|can|do not|use to|used to|want|hope|plan|practise|practice|avoid
  |volunteer|need|got|served|studied|graduated|retired|trained|worked|quit)\b
`;
const ASKING = source`
  (?:can|could|would|will) you\b|(?:does|do|did|is|are) (?:that|this|it|there|the|you|any)\b|what(?:'s| is| are
  | should| can| do)\b|how (?:do|can|to|much|many|long|should|would)\b|where (?:do|can|is|should|could)\b
  |any (?:ideas?|tips|advice|suggestions|recommendations|chance)\b|which (?:one|of)\b|(?:please )?(?:help me|suggest
  |recommend)\b|need (?:help|some help|a hand)\b
`;
const BOUNDARY = new RegExp(
  [
    `(?:[,;:](?!\\S{0,20}\\d)(?=\\s|[\\p{L}(])|[,;](?=\\s)|\\s[-–]+\\s|\\s?—\\s?|\\.{2,}|…|\\(|\\))\\s*(?:(?:${JOINT})\\s)?`,
    `\\s(?:${JOINT})\\s(?=${SUBJECT})`,
    source`
      \s(?:and|but)\s(?=(?:(?:really|also|still|currently|just|mostly|now|absolutely|recently|an?|allergic|from
      |based) ){0,4}${PREDICATE}|an? |allergic |from \p{Lu}|based )
    `,
    `\\s(?=${ASKING})`,
    '(?<=\\b(?:here|there|everyone|all|morning|evening|hi|hello|hey))\\s(?=(?:I|my) )',
  ].join('|'),
  'giu',
);

const QUESTION = pattern('iu')`
  ^(?:(?:and|so|but|ok|okay|well|hey|hi|please|also|or|then|now|wait)[, ]+){0,4}(?:(?:do|does|did|is|are|am|was|were
  |can|could|would|should|will|shall|may|might)(?: not|n't)? (?:I|you|we|they|he|she|it|there|this|that|these|those
  |the|my|our|your|an?|any|anyone|anybody|someone|people|everyone)\b|(?:has|have|had)(?: not|n't)? (?:I|you|we|they|he
  |she|it|there|this|that|anyone|anybody|someone|the)\b|(?:what|how|which|whose|why)\b|(?:where|who|when) (?!(?:I|my
  |we|you|it)\b)|(?:what|where|who|when)(?:'s|s)?\?|any (?:ideas?|tips?|advice|suggestions?|recommendations?|chance
  |clue|thoughts)|(?:tell|remind|show) me (?:what|where|how|which|who|when|why|if|whether)|(?:got|know) any
  |thoughts)\b
`;
const TAG = pattern('i')`
  ^(?:right|yes|no|yeah|correct|is it not|isn't it|ok|okay|true|remember|am I|do I|don't I|true or false
  |right or wrong|true|agree(?:d)?|or not|is that (?:right|true|correct|ok))\??$
`;
const SUPPOSING = source`
  ^(?:(?:and|so|but|ok|okay|well|now|just|for example|hi|hey|hello)[, ]+){0,4}(?:suppose|supposing|imagine|imagining
  |pretend|assume|assuming|let'?s (?:say|imagine|assume|suppose|pretend)|say (?:I|my|we|i'?m|im)\b|hypothetically
  |hypothetical|theoretically|in theory|what if i)
`;
/** Opens a supposition: the sentences after it belong to that. */
export const SUPPOSES = new RegExp(SUPPOSING, 'i');
const UNREAL = pattern('i')`
  ${SUPPOSING}|^(?:(?:and|so|but|ok|okay|well|now|just)[, ]+){0,4}(?:picture this|say (?:our|someone|somebody|you
  |that I)\b|what if|what would|for the sake of argument|in another life|in (?:my|the|this|a) (?:novel|story|book|film
  |movie|play|game|dream|fantasy|script|screenplay|campaign|sketch|comic|poem|fanfic)\b|in a parallel|in an alternate
  |had I\b|were I\b|should I\b(?! (?:mention|say|add))|as if|as though|I (?:wish|dreamt|dreamed|had a dream)|if only
  |once I|when I am (?:old|rich|retired)|by the time|nobody|no one says)
`;
const HELPFUL = pattern('i')`
  ^(?:(?:if|in case) (?:it|that|this) (?:helps?|matters?|is (?:relevant|useful|of any use)|makes a difference
  |is important|changes)|(?:if|in case) (?:you|anyone|anybody|someone|they|he|she|it|the) |just in case)
`;
const CONDITION = pattern('i')`
  ^(?:(?:and|so|but|or|then|even|only|please|also)[, ]+){0,4}(?:if|unless|whether|in case|whenever|when(?! I (?:lived
  |worked|studied|served|was an? ))|each time|every time|any time|anytime|once|until|wherever|as soon as|next time)\b
`;
const ABOUT_ME = /^\S+(?: \S+)?? (?:I|we|my|our)\b/i;
const REPORTED = pattern('iu')`
  ^(?:(?:(?:the|an?|my|our|his|her|their|this|that|some|one|every) )?(?:(?!(?:I|we|never|always|just|not|who|that|have
  |has|and|or|to|is|are|am)\b)[\p{L}'-]+ ){1,4}?|(?:he|she|they|it|everyone|everybody|people|someone|somebody|nobody
  |you) )(?:(?:always|just|also|then|once|still|keeps?|kept|even|never) ){0,4}(?:said|says?|saying|told|tells|goes
  |wrote|writes|claims?|claimed|thinks?|thought|reckons?|insists?|insisted|replied|answered|reads|sang|sings|shouts?
  |shouted|was like|is like|asked|joked|whispered|texted|posted|quipped|believes?|swears?|suggested|assumed?)\b
  (?! (?:by|to visit))
`;

/** Introductory words that need no comma. What ends with a comma or a colon is a piece of its own anyway. */
const LEAD_IN = pattern('i')`
  ^(?:(?:hi|hiya|hey|hello|(?:good )?(?:morning|evening|afternoon))(?: (?:there|all|everyone|again|team|both|folks
  |you))?|ok|okay|k|right|so|well|btw|by the way|fyi|also|oh|ah|ooh|ugh|um|hmm+|uh|and|but|or|plus|because|cause|since
  |as|given(?: that)?|seeing (?:as|that)|considering(?: that)?|though|although|while|then|just so (?:you|that you|we)
  (?: are)? (?:know|aware|clear)|so you know|for (?:context|background|the record|reference|info|(?:your )?info
  (?:rmation)?)|(?:just )?(?:a )?(?:quick |small )?(?:heads[- ]?up|note|reminder|update|warning|confession|thing)
  (?: that)?|please (?:note|remember|(?:keep|bear) in mind|be aware|know|consider)(?: that)?|(?:remember|note|(?:keep
  |bear) in mind|mind(?: you)?|consider|know|you know|you see|see|as you (?:may |might |probably )?know|you (?:should
  |may|might)(?: probably)? know|(?:as|like) I (?:said|mentioned)(?: before)?|I (?:already )?(?:told|mentioned|said)
  (?: to)?(?: you)?(?: before| earlier)?|I (?:should|forgot to|ought to|must|have to|need to|want to) (?:mention|add
  |say|admit|confess|tell you|point out|note|let you know)|worth (?:mentioning|knowing|noting))(?: that)?
  |(?:the )?thing is(?: that)?|the truth is|fact is|(?:it )?turns out|apparently|I (?:think|guess|suppose|believe
  |reckon|would say|admit|confess|reali[sz]ed|feel like)(?: that)?|to be (?:honest|fair|clear|frank|precise|exact)|tbh
  |honestly|frankly|in fact|unfortunately|sadly|luckily|happily|fortunately|obviously|of course|basically|actually
  |really|seriously|personally|for me|no|nope|nah|yes|yep|yeah|yup|sure|sorry|oops|wait|no wait|wait no|correction
  |rather|I mean(?:t)?|thanks|thank you|great|cool|nice|perfect|lovely|awesome|ha|back when|when(?= I (?:lived|worked
  |studied|served|was an? ))|as for me|me|(?:since|as of) (?:then|today|yesterday|(?:this|last) (?:week|month|year)
  |new year|${MONTH_NAMES}|${WEEKDAY}|\d{4})|these days|nowadays|right now|currently|at (?:the moment|present)
  |meanwhile|in the meantime|by now|now|today|lately|recently|finally|until recently|yesterday|(?:last|this) (?:week
  |month|year|night|morning|spring|summer|autumn|fall|winter)|a (?:few )?(?:week|month|year)s? ago|always|still|again
  |somehow|in general|generally|usually|mostly|normally|as a rule|in my (?:case|family)|at home|at work|over here)\b
  (?:[,:;.!\s-]+|$)
`;
const KEEPS_ITS_HEAD = pattern('i')`
  ^(?:always|now|in general|generally|as a rule|in my (?:case|family)|as for me|me|remember|mind|see|know|consider
  |really|still|again|at home|at work)\b
`;

/** Words that are introductory only before a stop or a subject: "no, I …", but not "no emojis". */
const NEEDS_STOP = pattern('i')`
  ^(?:no|nope|yes|sure|right|great|cool|nice|perfect|lovely|awesome|well|know|see|note|consider|mind|important|update
  |warning|me|really|wait|rather|remember|reminder|currently|today|recently|lately|finally|obviously|usually|mostly
  |normally|generally|so|apparently)\s+$
`;
const STARTS_CLAUSE = /^(?:I|my|we|our|that|this|it|the|he|she|they|his|her|\p{Lu})/u;

/** Removes introductory words; "always" and similar words stay before a verb. */
function withoutLeadIn(text: string): string {
  let rest = text.trim();
  for (let step = 0; step < 8; step += 1) {
    const [lead] = LEAD_IN.exec(rest) ?? [];
    if (lead === undefined) return rest;
    const follows = rest.slice(lead.length);
    if (NEEDS_STOP.test(lead) && !STARTS_CLAUSE.test(follows)) return rest;
    const isOpen = /^(?:I|my|we|our|that)\b/i.test(follows) || /[,:]\s*$/.test(lead);
    if (follows === '' || (KEEPS_ITS_HEAD.test(lead) && !isOpen)) return rest;
    rest = follows.trim();
  }
  return rest;
}

const CHANGE = pattern('i')`
  \b(?:actually|no,? wait|wait,? no|sorry|oops|correction|scratch that|I mean(?:t)?|my (?:mistake|bad)|now|new|moved
  |relocated|switched|changed|change of|turned|no longer|anymore|again|since|instead|update|used to|these days|as of
  |after all|not just|rather|I have (?:become|gone|started|stopped|taken)|became|started|joined|got promoted|quit|left
  |gave up|stopped|back (?:on|to)|take it back|take something back|in the meantime|swapped|mixed|wrong|forget|typo
  |finally|recently|just|misspoke|should be|nowadays|from now on|outgr[eo]wn?|no more)\b
`;
const DENIAL =
  /^(?:no|nope|nah|not quite|not really|that is (?:not|wrong)|wrong|sorry|actually|oops|correction)\b/i;

type Piece = { start: number; text: string };

/** How many clauses of a sentence are read: real sentences have fewer. */
const CLAUSES = 40;
const JOINT_AT_END = /\b(?:and|but|so|because|since|as|though|while|or)$/i;
/** The length of the longest joining word with the character before it. */
const LONGEST_JOINT = 8;

/** Removes the marks and the word that join a piece to the next one. */
function withoutJoint(piece: string): string {
  const text = piece.trimEnd();
  const [joint = ''] = JOINT_AT_END.exec(text.slice(-LONGEST_JOINT)) ?? [];
  return trimEndOf(text.slice(0, text.length - joint.length), /[,;:\s(–—-]/);
}

function piecesOf(sentence: string): Piece[] {
  const starts = [0];
  for (const found of sentence.matchAll(BOUNDARY)) starts.push(found.index + found[0].length);
  return starts.slice(0, CLAUSES).map((start, index) => ({
    start,
    text: withoutJoint(sentence.slice(start, starts[index + 1])),
  }));
}

const isDeclarative = (piece: string): boolean =>
  /^(?:I|my|we|our|he|she|his|her)\b/i.test(withoutLeadIn(piece));

/** For each piece of a sentence, whether it is a question rather than a statement. */
function askedPieces(pieces: readonly Piece[], isAsked: boolean): boolean[] {
  let asking = false;
  const asked = pieces.map(({ text }, index) => {
    if (QUESTION.test(text)) asking = true;
    else if (asking && isDeclarative(text) && index > 0) asking = false;
    return asking;
  });
  if (!isAsked) return asked;
  const last = pieces.length - 1;
  if (TAG.test(pieces[last]?.text ?? '')) return pieces.map(() => true);
  const reason = /\b(?:since|because|given that|as)\s+$/i;
  const isReason = last > 0 && reason.test((pieces[last - 1]?.text ?? '').concat(' '));
  const isStated = asked.some(Boolean) && isDeclarative(pieces[last]?.text ?? '');
  return isReason || isStated ? asked : asked.with(last, true);
}

type Mood = Clause['mood'] | 'UNREAL';

/** The mood after a piece: a condition applies to the rest of its sentence, a reason given in passing does not. */
function moodAfter(mood: Mood, piece: string, sentence: string): Mood {
  if (UNREAL.test(piece) || REPORTED.test(piece)) return 'UNREAL';
  if (mood !== 'STATED' || !CONDITION.test(piece)) return mood;
  if (/\b(?:would|could|were|had)\b/i.test(sentence) && /^(?:\w+ )?(?:if|unless)\b/i.test(piece))
    return 'UNREAL';
  return ABOUT_ME.test(piece) && !HELPFUL.test(piece) ? 'CONDITIONAL' : mood;
}

/** A modal verb: predicates that share its subject are only possible, too. */
const MODAL =
  /^(?:I|we) (?:\w+ )?(?:could|would|should|might|may|can|will|must|want|need|try|hope|plan|am going|are going)\b/i;
const NAMED = /^(?:this is|it is|my name is) \p{Lu}|^\p{Lu}\p{L}+(?: here| this side)\b/u;
const PREDICATIVE =
  /^(?!(?:I|my|we|our|he|she|it|they|you|your|the|this|that|his|her|if|when|what|how|where|please|can|could|do|not)\b)[\p{L}\d]/iu;

/** The statements in a sentence, in order, without questions and imagined ones. */
export function clausesOf(raw: string): Clause[] {
  const sentence = withPlainSubject(plainEnglish(raw).replace(/\s+/g, ' ').trim());
  const pieces = piecesOf(sentence);
  const asked = askedPieces(pieces, /\?["')\]]*$/.test(sentence));
  const clauses: Clause[] = [];
  let mood: Mood = 'STATED';
  let subject = '';
  for (const [index, piece] of pieces.entries()) {
    mood = moodAfter(mood, piece.text, sentence);
    if (mood === 'UNREAL') {
      if (!returnsToSelf(sentence, pieces, index)) break;
      mood = 'STATED';
      continue;
    }
    if (asked[index] || piece.text === '') continue;
    const own = withoutLeadIn(piece.text);
    const shared = sharedSubject(subject, own);
    const inFull = (words: string) =>
      index === 0 ? withSubject(words) : shared === '' ? words : `${shared} ${words}`;
    clauses.push({
      text: inFull(withoutLeadIn(sentence.slice(piece.start))),
      own: inFull(own),
      mood,
      isCorrection: CHANGE.test(sentence) || DENIAL.test(sentence),
      isContinued: shared !== '',
      sentence,
    });
    subject = subjectAfter(own, shared === '' ? '' : subject);
  }
  return clauses;
}

/** Whether the user states something again after a reported clause: "she thinks I live there, but I moved". */
function returnsToSelf(sentence: string, pieces: readonly Piece[], index: number): boolean {
  const [piece, next] = pieces.slice(index);
  if (!piece || !next || !REPORTED.test(piece.text)) return false;
  const isBut = /\bbut (?:actually )?$/i.test(sentence.slice(0, next.start));
  return isBut && /^(?:I|my|we|our)\b/i.test(next.text);
}

/** The subject that a following predicate without a subject has. */
function subjectAfter(own: string, before: string): string {
  if (MODAL.test(own)) return '';
  if (/^(?:I|we)\b/i.test(own)) return /^I am\b/.test(own) ? 'I am' : 'I';
  return NAMED.test(own) ? 'I am' : before;
}

const STARTS_WITH_VERB = new RegExp(
  `^(?:(?:really|also|still|currently|just|mostly|now|absolutely|recently) ){0,4}${PREDICATE}`,
  'i',
);

const INSTRUCTS = pattern('i')`
  ^(?:use|speak|come|play|keep|avoid|never|always|do not|go)\b.*\b(?:please|in (?:the )?future|from now on
  |going forward|with me|for me)\b
`;

/** The subject to put before a piece without one: "I am Zed, 27" → "I am 27"; "I live here and work there" → "I work there". */
function sharedSubject(subject: string, own: string): string {
  if (subject === '' || INSTRUCTS.test(own)) return '';
  if (STARTS_WITH_VERB.test(own)) return 'I';
  const hasVerb =
    /\b(?:is|are|was|were|has|have|do|does|did|can|could|will|would|should|am)\b/i.test(own);
  return subject === 'I am' && !hasVerb && PREDICATIVE.test(own) ? 'I am' : '';
}
