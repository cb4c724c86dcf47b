import { factKey } from '../../../../domain/facts/fact-key.ts';
import { pattern } from '../../../../language/text/pattern.ts';
import { asCorrections, type Draft, liking, NEGATIVE, rule, stated } from '../text/draft.ts';
import { clauseOf, thingOf, thingsOf, upTo } from '../text/phrases.ts';
import { GREAT } from '../text/words.ts';
import { isAtHand, isChoice, isFleeting } from './passing.ts';

/** Drafts preferences, one for each thing. The statement keeps the words after the thing. */
function tastes(text: string, says: string, more?: Partial<Draft>): Draft[] {
  if (isAtHand(text)) return [];
  const things = thingsOf(text).map((thing) => thing.replace(/ (?:better|more|much|almost)$/, ''));
  const whole = clauseOf(text);
  return things.flatMap((thing) => {
    if (isFleeting(thing, whole)) return [];
    const isActivity =
      /^\p{Ll}+ing\b/u.test(thing) &&
      more?.polarity !== 'NEGATIVE' &&
      !/^(?:pudding|dressing|stuffing|icing|wedding|lighting)\b/.test(thing);
    const category = isActivity ? 'INTEREST' : 'PREFERENCE';
    const isAlone = things.length === 1;
    return [
      liking(category, thing, `${says} ${isAlone && whole.includes(thing) ? whole : thing}`, {
        scope: isAlone ? scopeOf(whole, thing) : null,
        ...more,
      }),
    ];
  });
}

/** The scope of a preference: "… in basically everything". */
function scopeOf(whole: string, thing: string): string | null {
  const rest = whole.startsWith(thing) ? whole.slice(thing.length).trim() : '';
  return /^(?:in|at|on|for|when|during|while)\b/i.test(rest) ? rest : null;
}

const loves = (text: string): Draft[] => tastes(text, 'loves');
const dislikes = (text: string): Draft[] => tastes(text, 'does not like', NEGATIVE);
const hates = (text: string): Draft[] => tastes(text, 'dislikes', NEGATIVE);

const NAMELESS =
  /^(?:this|that|it|these|those|what|which|he|she|they|you|there|who|my|your|all|everything|the|one)\b/i;

const OVER = '(?<thing>.+)';

export const TASTES = [
  rule(loves)`
    (?:my|our) (?:(?:two|three|2|3) )?fav(?:e|ou?rite) things (?:in (?:life|the world) |to \p{L}+ )?are ${OVER}
  `,
  rule((kind, { groups: { thing = '' } }) => favourite(kind, thing))`
    (?:my|our) (?:(?:all-time|absolute|new|other|current|personal|number one) ){0,4}(?:fav(?:e|s|ou?rites?)?|go-to
    |preferred)(?: ever| all-time)? (?<kind>[^,.;!?]{2,40}?) (?:(?:of all time|ever|at the moment|these days|right now
    |by far) )?(?:is|are|'s|remains|ha(?:s|ve) always been|(?:will|must|would) (?:always )?be|was always|has to be)
    (?: (?:still|now|probably|definitely|actually|always|easily|by far|hands down)){0,4},? ${OVER}
  `,
  rule(
    (thing, { groups: { kind = '' } }) => favourite(kind.trim(), thing),
    /^(?:this|that|it|these|those|what|which|he|she|they|the (?:first|second|third|last|other)|here|one|who|mine|yours)\b/i,
  )`
    (?<thing>(?:[\p{L}\d'’-]+ ){1,5}?)(?:is|are|'s) ~(?:my|our) (?:all-time |absolute |new ){0,4}(?:fav(?:e|ou?rite)?)
    (?<kind>(?: [\p{L}-]+){0,3}?)(?= (?:of|ever|by|in|and|so|at|for)\b|[,.;!?]|$)
  `,
  rule(dislikes)`
    We (?:am|are) (?:not|no longer) ~(?:an? )?(?:(?:big|huge|great|much of a|really a|the biggest|that) ){0,4}
    (?:fan of|fond of|keen on|big on|(?:crazy|wild|mad) about|partial to|a lover of|much for|sold on) ${OVER}
  `,
  rule((thing, { text }) =>
    /^\S+ (?:\w+ ){1,4}?(?:want|need|fancy) /.test(text.slice(0, 40))
      ? null
      : dislikes(thing.replace(/ (?:anymore|any longer)$/, '')),
  )`
    We (?:do not|never|no longer|have never|can not say I|did not) ~(?:ever |much |all that ){0,4}(?:liked?|enjoy
    (?:ed)?|love|care(?:d)?(?: much)? for|appreciate|want|need|fancy) ${OVER}
  `,
  rule((thing, { text }) => asCorrections(hates(thing), /\b(?:gone|went) off\b/.test(text)))`
    We (?:have )?~(?:hated?|despise|detest|loathe|disliked?|abhor|can not ~(?:stand|bear|abide|stomach
    |handle the taste of|tolerate the taste of)|(?:could never|have never been able to) stand|am sick of
    |am allergic to the taste of|have an aversion to|(?:gone|went) off|am put off by|have no time for) ${OVER}
  `,
  rule(dislikes, NAMELESS)`
    (?<thing>(?:[\p{L}'-]+ ){1,4}?)(?:is|are) ~not ~(?:my (?:thing|cup of tea|taste|style|jam|bag)|for me)\b
  `,
  rule((thing, { text, sentence }, scene) =>
    /^\w+ would\b/.test(text) || isChoice(thing, sentence, scene) ? null : preferred(thing),
  )`
    We (?:would )?~(?:(?:tend to )?prefer|favou?r|always (?:go for|pick|choose)|opt for) (?:(?:(?:to )?have|having
    |(?:to )?use|using|to get|to drink|to eat) )?(?<thing>.+)
  `,
  rule((thing, { text, sentence }, scene) => {
    // "I have like 300 a month."
    if (/^(?:I|we) have like /.test(text)) return null;
    const isWeak = /^(?:I|we) (?:\w+ )?(?:like|fancy|dig|would|enjoy) /.test(text);
    if (isWeak && isChoice(thing, sentence, scene)) return null;
    const isPast =
      /^(?:I|we) (?:\w+ )?(?:liked|loved|enjoyed|fancy)\b/.test(text) &&
      !/ (?:always|have)\b/.test(text.slice(0, 20));
    if (isPast) return null;
    const infinitive =
      /^to (?!(?:see|know|hear|think|say|be|have|get|ask|thank|point)\b)(.+)/i.exec(thing);
    if (infinitive) return activity(infinitive[1] ?? '');
    const says = /\blov|ador/.test(text.slice(0, 40)) ? 'loves' : 'likes';
    return tastes(thing, says, /\blike\b/.test(text.slice(0, 25)) ? { confidence: 0.75 } : {});
  })`
    We (?:have )?~(?:loved?|adored?|enjoy(?:ed)?|liked?|cherish|dig|worship|fancy|relish|(?:(?:grew|grown|come|came
    |learned|learnt|started) to|do) (?:love|like|enjoy)|come (?:a?round) to|started (?:lik|lov|enjoy)ing|(?:fell
    |fallen) in love with|warmed to) ${OVER}
  `,
  rule(loves)`
    We (?:am|are|have) ~(?:been |become )?(?:an? )?(?:(?:${GREAT}) ){0,4}(?:(?:fan|lover|devotee|admirer) of
    |sucker for|fond of|(?:crazy|mad|nuts|wild) about|addicted to|hooked on|partial to|devoted to|(?:enamoured
    |in love) with|big on|soft spot for|weakness for|thing for) ${OVER}
  `,
  rule(loves)`
    We (?:(?:can|could) (?:not|never) (?:get enough of|live without|do without|say no to|resist|imagine life without
    |function without|start (?:my|the) day without|go a day without|have enough)|swear by|live for) ${OVER}
  `,
  rule(loves)`
    (?:(?:I|we) (?:could|can) (?:eat|drink|listen to|watch|live on|talk about|read)|give me|nothing (?:beats|like)
    |you can not beat) (?<thing>[^,.;!?]+?) (?:all (?:day|night)|every (?:day|night)|for ?ever|for (?:breakfast|hours)
    |non-?stop|daily|morning,? noon|any ?(?:day|time)|over [^,.;!?]+)
  `,
  rule((thing) => tastes(thing, 'prefers'))`
    I am ~(?:an? |more of an? |definitely an? )(?<thing>(?:cat|dog|tea|coffee|wine|beer|whisky|book|beach|mountain
    |window seat|aisle seat|summer|winter|autumn|spring|chocolate|cheese)) (?:person|lover|drinker|guy|girl|man|woman)
  `,
];

function favourite(kind: string, text: string): Draft | null {
  const value = clauseOf(text.replace(/^(?:the one (?:with|from|by) |anything by )/i, ''));
  if (
    value === '' ||
    NAMELESS.test(value) ||
    /^(?:part|thing|bit|line|time|one|way)\b/i.test(kind) ||
    / (?:about|of this|in this|so far)\b/.test(kind) ||
    value.split(' ').length > 9 ||
    /^(?:when|how|to|not|so|probably|going|still)\b/i.test(value)
  )
    return null;
  const kindOnly = upTo(kind.replace(/^(?:kind|type|sort) of /, ''), / (?:of all time|ever)$| to /);
  const key = factKey('preference', kind === '' ? value : `favourite ${kindOnly}`);
  return stated('PREFERENCE', value, `'s favourite ${kind && `${kind} `}is ${value}`, { key });
}

const AT_HAND =
  /^(?:not|the (?:first|second|third|last|other)|option|version|if|that|it|this|your|you)\b/i;

function preferred(text: string): Draft[] {
  const infinitive = /^to (?:be |)(.+)/i.exec(text);
  const [thing = ''] = (infinitive?.[1] ?? text).split(
    / (?:to|over|rather than|instead of|than|more than) (?!be\b|do\b)/,
  );
  if (AT_HAND.test(thing)) return [];
  return tastes(thing, infinitive ? 'prefers to' : 'prefers').map((fact) => ({
    ...fact,
    category: 'PREFERENCE',
    key: fact.key?.replace(/^interest:/, 'preference:') ?? null,
    statement: `The user prefers ${clauseOf(text)}.`,
  }));
}

const NO_PASTIME = pattern('i')`
  ^(?:be|have|get|do|see|make sure|keep|go with|start with|add|point|mention|ask|think|believe|say)\b|\byou|this\b
`;

/** Reads a pastime: "I love to sail". */
function activity(text: string): Draft[] {
  const doing = clauseOf(text);
  if (doing === '' || NO_PASTIME.test(doing)) return [];
  const key = factKey('interest', thingOf(text) ?? doing);
  return [stated('INTEREST', doing, `loves to ${doing}`, { key, confidence: 0.75 })];
}
