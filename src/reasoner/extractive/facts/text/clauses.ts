import { IgnoringCase } from '../../../../language/text/ignoring-case.ts';
import { pattern, source } from '../../../../language/text/pattern.ts';
import { trimEndOf } from '../../../../language/text/trim-end.ts';
import { LAUGHTER, plainEnglish } from '../../text/plain-english.ts';
import { withoutLeadIn } from './lead-ins.ts';
import { type Mood, moodAfter, REPORTED, type StatedMood } from './moods.ts';
import { withPlainSubject, withSubject } from './subjects.ts';

/** A place in a sentence where a statement may begin. */
export type Clause = {
  /** From there to the end of the sentence, without introductory words. */
  text: string;
  /** The same up to the beginning of the next clause. */
  own: string;
  mood: StatedMood;
  /** Whether the sentence has cues of a correction or a change. */
  isCorrection: boolean;
  /** Whether it is a predicate that shares the subject of the clause before it: "I am Zed, 27". */
  isContinued: boolean;
  /** The whole sentence, by which one-off requests are recognised. */
  sentence: string;
  /** Whether the sentence has laughter, which it is written without. */
  isLaughing: boolean;
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
const BOUNDARY = new IgnoringCase(
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
  'g',
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

/** A modal verb: predicates that share its subject are only possible, too. */
const MODAL =
  /^(?:I|we) (?:\w+ )?(?:could|would|should|might|may|can|will|must|want|need|try|hope|plan|am going|are going)\b/i;
const NAMED = /^(?:this is|it is|my name is) \p{Lu}|^\p{Lu}\p{L}+(?: here| this side)\b/u;
const PREDICATIVE =
  /^(?!(?:I|my|we|our|he|she|it|they|you|your|the|this|that|his|her|if|when|what|how|where|please|can|could|do|not)\b)[\p{L}\d]/iu;

/** The subject is somebody else, of whom also an "allergic" without a subject is said. */
const OF_OTHER = pattern('iu')`
  ^(?!(?:I|we|you|this|that|there|here)\b)(?:(?:my|our|his|her|their|the) [\p{L}' -]{2,40}?|[\p{L}'-]{1,40})[ ]
  (?:is|are|was|has|have)\b
`;
const ALLERGIC = /^(?:(?:also|very|[a-z]+ly) ){0,2}allergic\b/i;

const isOfOthers = (own: string, before: boolean): boolean =>
  OF_OTHER.test(own) || (before && !/^(?:I|we|my|our)\b/i.test(own));

/** The statements in a sentence, in order, without questions and imagined ones. */
export function clausesOf(raw: string): Clause[] {
  const sentence = withPlainSubject(plainEnglish(raw).replace(/\s+/g, ' ').trim());
  const isLaughing = LAUGHTER.test(raw);
  const pieces = piecesOf(sentence);
  const asked = askedPieces(pieces, /\?["')\]]*$/.test(sentence));
  const clauses: Clause[] = [];
  let mood: Mood = 'STATED';
  let subject = '';
  let isOfOther = false;
  for (const [index, piece] of pieces.entries()) {
    mood = moodAfter(mood, piece.text, sentence);
    if (mood === 'UNREAL') {
      if (!returnsToSelf(sentence, pieces, index)) break;
      mood = 'STATED';
      continue;
    }
    const own = withoutLeadIn(piece.text);
    isOfOther = isOfOthers(own, isOfOther);
    const isLost = isOfOther && ALLERGIC.test(own);
    if (asked[index] || piece.text === '' || isLost) continue;
    const shared = sharedSubject(subject, own);
    const inFull = (words: string) =>
      index === 0 ? withSubject(words) : `${shared} ${words}`.trimStart();
    clauses.push({
      text: inFull(withoutLeadIn(sentence.slice(piece.start))),
      own: inFull(own),
      mood,
      isCorrection: CHANGE.test(sentence) || DENIAL.test(sentence),
      isContinued: shared !== '',
      sentence,
      isLaughing,
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
