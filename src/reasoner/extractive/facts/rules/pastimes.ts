import { factKey } from '../../../../domain/facts/fact-key.ts';
import { WEEKDAY } from '../../../../language/en/time/named-date.ts';
import { pattern, source } from '../../../../language/text/pattern.ts';
import { asCorrections, type Draft, END, liking, NEGATIVE, rule, stated } from '../text/draft.ts';
import { clauseOf, deedOf, thingOf, thingsOf, upTo } from '../text/phrases.ts';
import { isTown } from '../text/places.ts';
import type { Scene } from '../text/scene.ts';
import { GREAT } from '../text/words.ts';
import { ONCE } from './habits.ts';
import { isChoice } from './passing.ts';

const interested = (text: string): Draft[] =>
  thingsOf(text).map((value) => {
    const whole = deedOf(text);
    const says = `is interested in ${whole.includes(value) ? whole : value}`;
    return liking('INTEREST', value, says);
  });

const uninterested = (text: string): Draft[] =>
  thingsOf(upTo(text, / (?:anymore|any longer|at all)\b/)).map((value) =>
    liking('INTEREST', value, `is not interested in ${value}`, NEGATIVE),
  );

const NO_PASTIME = pattern('i')`
  ^(?:be|am|have|get|need|want|try|do not|not|that|it|this|you|just|nothing|feel|think|only|sleep|work|trying|working
  |being|getting|looking|doing (?:this|that|it|nothing))\b
`;

/** Reads a pastime in a verb phrase. Its object makes the key. */
function pastime(text: string): Draft[] {
  const value = deedOf(
    text
      .replace(/^(?:still|often|also|usually|mostly) /i, '')
      .replace(/^(?:love|like|enjoy) (?:to )?/i, ''),
  );
  if (value === '' || NO_PASTIME.test(value)) return [];
  const object = thingOf(value.replace(/^(?:\p{L}+) (?=\p{L})/u, '')) ?? value;
  const key = factKey('interest', /^\S+ing$/.test(value) ? value : object);
  const says = `likes to spend time on ${value}`;
  return [stated('INTEREST', value, says, { key, confidence: 0.85 })];
}

const FREE = source`
  (?:my )?(?:free|spare|leisure|down) ?time|my (?:weekends|evenings|days off|off hours|lunch breaks|sundays|saturdays
  |summers|winters|nights off)|the weekends|weekends|the evenings|my own time
`;
const NO_TOPIC = pattern('iu')`
  ^(?:(?:[\p{L}-]+ )?(?:rooms?|hotels?|guesthouses?|tickets?|trains?|flights?|places?|restaurants?|options?|buses
  |cars?|positions?|houses?|attractions?|museums?)\b|(?:[\p{L}-]+ ){1,4}(?:station|airport|terminal|town|city|hotel)\b
  |buying|selling|learning|hearing|knowing|getting|finding|seeing|joining|working|applying|renting|booking|trying
  |doing|what|how|your|the|an?|this|that|my|our|it|you|trouble|debt|bed|work|college|university|uni)\b
`;

/** Whether a thing is a place: "I'm interested in Fresno" is about a journey. */
const isPlaceName = (thing: string): boolean => /^\p{Lu}/u.test(thing) && isTown(thing);
const isAskedFor = (thing: string, sentence: string, scene: Scene): boolean =>
  /\binterested in\b/.test(sentence) && isChoice(thing, sentence, scene);

const FOLLOWED_BY_MANY = pattern('i')`
  ^(?:football|soccer|sports?|politics|the news|tv|cricket|tennis|golf|baseball|basketball|video games|games|rugby
  |hockey|f1|formula 1|anime|cards|chess|reality tv)\b
`;

const FAVOURITE =
  '(?:(?:main|biggest|big|new|great|only|latest|favou?rite|old|real|secret|other|lifelong) ){0,4}';
const FOR_FUN =
  '(?:in my (?:free|spare) time|for (?:fun|relaxation)|as a hobby|to (?:unwind|relax)|on my days off)\\b';
const AT_WEEKENDS = `(?:(?:on|at) (?:the )?weekends?|on ${WEEKDAY}s|every weekend)\\b`;
const GAME = source`
  chess|tennis|football|soccer|badminton|squash|golf|padel|rugby|hockey|cricket|basketball|volleyball|poker|bridge
  |darts|handball|netball|table tennis|water polo|lacrosse|softball|baseball|d&d|dungeons (?:and|&) dragons|(?:board
  |video|online) games|go|magic|pool|snooker|ultimate|pickleball|warhammer|petanque|bowls
`;
const SPORT = source`
  yoga|pilates|judo|karate|crossfit|ceramics|pottery|ballet|parkour|marathons|triathlons|archery|taekwondo|kickboxing
  |gymnastics|tai chi|aikido|improv|martial arts
`;
const hobbies = (text: string): Draft[] => {
  const things = thingsOf(text);
  if (things.length > 1) return interested(text);
  const value = clauseOf(text);
  const key = factKey('interest', things[0] ?? value);
  return value === '' ? [] : [stated('INTEREST', value, `'s hobby is ${value}`, { key })];
};

const pastimeVerb = (verb: string): Draft => {
  const value = verb.replace(/^(?:play(?: the)?|go|do|practi[sc]e) /i, '');
  return liking('INTEREST', value, `likes to ${verb}`, { confidence: 0.8 });
};

export const PASTIMES = [
  rule(uninterested)`
    We (?:am|are|have|do|was) ~(?:not|never been|no longer|never) ~(?:at all |remotely |(?:in )?the least (?:bit )?
    |that |all that )?(?:interested in|into|in to|keen on|passionate about|drawn to|bothered about
    |fussed about) (?<thing>.+)
  `,
  rule((thing, { text }) => asCorrections(uninterested(thing), /\blost\b/.test(text)))`
    We (?:(?:have|take|had) ~(?:no|zero|little)|never had any|(?:have )?lost(?: all
    | my)?) interest (?:at all |whatsoever )?in[ ](?<thing>.+)
  `,
  rule(
    (thing) => uninterested(thing.replace(/ (?:just|really|simply)$/, '')),
    /^(?:it|this|that|these|those|they|he|she|which|what)\b/i,
  )`
    (?<thing>(?:[\p{L}'-]+ ){1,4}?)(?:(?:(?:do|does|did|really|just) ){0,4}(?:not|never) ~(?:interest(?:s|ed)?
    |excites?|appeals? to|do anything for|grab) me|(?:bores?|leaves?) me (?:to tears|to death|cold|stiff|silly
    |senseless))
  `,
  rule((thing, { text }) =>
    /\b(?:follow|watch|play) /.test(text.slice(0, 30)) && !FOLLOWED_BY_MANY.test(thing)
      ? null
      : uninterested(thing),
  )`
    I (?:could not|can not|do not) (?:care less about|get excited about|see the appeal of|get the appeal of
    |really follow|follow|watch|play) (?<thing>.+)
  `,
  rule((thing, { sentence }, scene) =>
    NO_TOPIC.test(thing) || isPlaceName(thing) || isAskedFor(thing, sentence, scene)
      ? null
      : interested(thing),
  )`
    We (?:(?:am|are|have) ~(?:(?:been|got|gotten|become|getting|newly) )?~(?:into|in to|interested in|passionate about
    |obsessed with|fascinated by|keen on|crazy for|hooked on|enthusiastic about|absorbed in|intrigued by)|(?:have )?~
    (?:got|gotten|get) ~(?:back )?into) (?<thing>.+)
  `,
  rule(
    interested,
    /^(?:too|a lot|space|room|the (?:phone|kids|parcel)|my|an?|your|this|that|where|smoking|it)\b/i,
  )`We (?:have )?~(?:take|taken|took|picked|pick|taking) up (?<thing>.+)`,
  rule(hobbies, /^(?:too|not|to|that|expensive|a bit|an expensive|getting|none|over)\b/i)`
    (?:(?:one of )?my|our) ${FAVOURITE}(?:hobby|hobbies|pastimes?|passions?|interests?|obsessions?|guilty pleasures?)
    (?: at the moment| these days)? (?:is|are|'s|includes?|ha(?:s|ve) always been)(?: mostly| mainly| now
    | probably)?[ ](?<thing>.+)
  `,
  rule(interested, /^(?:it|this|that|what|which|here|the|he|she|my|there)\b/i)`
    (?<thing>(?:[\p{L}'-]+ ){1,4}?)(?:is|are|has been|have been) ~(?:(?:one of )?my|our|an?) ${FAVOURITE}(?:hobby
    |hobbies|pastime|passion|guilty pleasure|thing|obsession|jam|happy place)\b
  `,
  rule(
    interested,
    /^(?:data|the|my kids|him|her|it|them|you|parcels?|mail|payments?|benefits|dust)\b/i,
  )`
    We ~(?:collect|restore|breed|brew(?: my own)?|build model|forage for|(?:make|bake|grow) my own|tinker with
    |dabble in|(?:geek|nerd) out (?:on|over|about)|experiment with|volunteer (?:at|for|with)|keep(?= bees\b)|follow
    (?= (?:football|formula|cricket|tennis|politics|the (?:premier|nba|nfl)))) (?<thing>.+)
  `,
  rule((deed) => pastime(deed.replace(/^I /, '')))`
    (?:in|during|on|at|over) (?:${FREE}),?(?: I)? (?:(?:like|love|enjoy|prefer|tend|try|usually|mostly|often|mainly
    |also|always|just|am|can be found) ){0,4}(?:to )?(?<deed>.+)
  `,
  rule(pastime)`
    We ~(?:spend|use|fill|waste|pass) (?:(?:most|my|most of|all(?: of)?|much of|a lot of|too much of|half(?: of)?
    |every) ){0,4}(?:${FREE}|weekends|evenings|a lot of time|hours|way too (?:much time|many hours))(?: (?:every
    |each) \w+)? (?:with |on )?(?<deed>[^,.;!?]+)
  `,
  rule((verb, { sentence }) => (ONCE.test(sentence) ? null : pastimeVerb(verb)))`
    We ~(?<verb>(?:play (?:the )?(?:${GAME})|(?:do|practi[sc]e) (?:${SPORT})))(?:(?= on (?! my (?:phone|tablet)))
    |${END})(?! with you)
  `,
  rule(pastimeVerb)`
    We ~(?<verb>knit|crochet|sew|paint|draw|sketch|garden|fish|surf|climb|sail|ski|snowboard|kayak|row|hike|cycle|run
    |swim|boulder|skate|skateboard|birdwatch|bake|dance|sing|whittle|carve|quilt|embroider|box|fence|juggle|canoe
    |(?:scuba )?dive|go \p{L}+ing) (?:${FOR_FUN}|${AT_WEEKENDS}|every \w+|(?:once|twice|three times|four times
    |a few times|most) .*|regularly|a lot|all year|in my lunch|competitively|(?:with|in) (?:a|my) (?:club|team|friends
    |league))
  `,
  rule(pastime)`We ~(?<deed>[\p{L}]+ [^,.;!?]{2,40}?) ${FOR_FUN}`,
  rule(interested, /^(?:work|things|stuff|travel for|that|this|it)\b/i)`
    We ~(?:do|go in for) (?:(?:a )?lots? of|(?:quite )?a (?:fair )?bit of|plenty of) (?<thing>.+)
  `,
  rule(interested)`
    I am ~an? ~(?:keen|avid|passionate|amateur|hobby|enthusiastic|eager|obsessive|recreational|weekend|committed
    |dedicated|lifelong|casual|competitive|serious|fanatical|self-taught|backyard|occasional|budding
    |devoted) (?<thing>[\p{L}-]+(?: [\p{L}-]+)?)${END}
  `,
  rule(interested, /^(?:control|neat|clean|adrenaline|big|huge|your)\b/i)`
    I am ~an? (?:(?:${GREAT}) ){0,4}(?<thing>[\p{L}\d-]+(?: [\p{L}-]+)?) (?:enthusiast|buff|nerd|geek|fan|lover|junkie
    |aficionado|fanatic|addict|freak|hobbyist|fiend|nut|devotee)${END}
  `,
  rule(interested)`
    I am ~an? (?<thing>gamer|birder|bird-?watcher|hiker|climber|surfer|cyclist|runner|knitter|reader|foodie|cinephile
    |bibliophile|audiophile|(?:film|history) buff|(?:stamp|coin) collector|home ?brewer|trainspotter|skier|swimmer
    |boulderer|fly fisher|angler|potter|stargazer)${END}
  `,
];
