import { pattern } from '../../../../language/text/pattern.ts';
import { trimEndOf } from '../../../../language/text/trim-end.ts';
import { nlp } from '../../text/tagger.ts';
import { titled } from './scene.ts';
import { CALENDAR, COUNTRIES } from './words.ts';

const PLACE_TOKEN = "\\p{Lu}[\\p{L}\\p{M}'’.-]*";
const CAPITALISED = pattern('u')`
  ^(?:the (?=\p{Lu}))?${PLACE_TOKEN}(?: (?:(?:of|on|upon|de|del|do|da|la|le|les|der|am|an der|sur|al|el|e|y|and
  (?= (?:Tobago|Barbuda|Herzegovina|Principe|Príncipe))|the) ){0,4}${PLACE_TOKEN}){0,4}
`;
const STOP = pattern('i')`
  \s(?:with|for|since|now|and|but|so|because|near|at|in|to|from|these|right|anymore|btw|by|currently|where|which|who
  |when|while|as|if|until|till|though|atm|again|too|after|before|last|this|just|not|can|could|what|how|is|are|any|do
  |does|i|I|we|about|all|most|only|please|or|then|today|yesterday|recently|originally|myself|alone|on|a|the|my|lol
  |actually|instead|already|permanently|full[- ]time|next|ages|years|have|has|never|always|still|year|month|week|over
  |around|rather|during|under|off|out|thanks?|same|during)(?=\s|$)
`;
const NO_PLACE = pattern('i')`
  ^(?:the )?(?:with|together|an?|my|his|her|your|our|their|this|that|these|it|its|fear|hope|denial|peace|constant|here|there|one|two
  |three|each|every|some|any|all|pain|pyjamas|pajamas|bed|kitchen|bathroom|office|city|cities|countryside|suburbs
  |country|area|houses?|flats?|apartment|mountains|village|town|moment|past|present|sin|luxury|poverty|harmony|exile
  |sweatpants|jeans|shared|isolated|gated|cramped|student|temporary|rented|rural|urban|cold|warm|home|abroad|work
  |school|college|university|uni|church|hospital|prison|love|trouble|debt|charge|general|particular|person|public
  |private|what|where|how|which|beyond|outside|inside|downtown|central|off|dormitory|squalor|fact|meetings?|chaos
  |something|nowhere|somewhere|everywhere|places|scratch|experience|memory|then|next|position|row|both|several|many
  |different|various|uncertainty|isolation|separate|rooms?|dorms?|care|secret|style|comfort|limbo|darkness|middle
  |future|basement|attic|same|north|south|east|west|woods|sticks|building|cloud|sky|desert|jungle|forest|centre|center
  |garden|dark|end|back|front|start|beginning|other|new|old|first|second|third|park|tropics|capital|outskirts|shadow
  |zone)\b
`;

const PLACE_ADJECTIVES = pattern('iu')`
  ^(?:(?:sunny|rainy|beautiful|lovely|good old|little|nearby|downtown|central|northern|southern|eastern|western|rural
  |the city of|the town of|the village of|a (?:small )?(?:town|village|suburb|place|city) (?:called|named|near|outside
  |of)|an? (?:[\p{L}\d-]+ ){0,2}?(?:flat|house|apartment|studio|room|cottage|bungalow|flatshare|dorm|caravan|houseboat|village
  |town) (?:in|near|outside)) )+(?=\S)
`;

/** The place at the beginning of a text ("Porto" of "Porto with my partner"); null if there is none. */
export function placeOf(text: string): string | null {
  const front = text.trim().replace(PLACE_ADJECTIVES, '');
  if (NO_PLACE.test(front)) return null;
  const [capitalised] = CAPITALISED.exec(front) ?? [];
  if (!capitalised) return lowerPlace(front);
  const place = trimEndOf(capitalised.replace(/['’]s$/, ''), /[.'’-]/);
  if (NO_PLACE_NAME.test(place)) return null;
  return /^(?:USA?|UK)\./.test(capitalised) ? capitalised : place;
}

const NO_PLACE_NAME = pattern()`
  ^(?:I|Can|What|How|Is|The|My|Any|${CALENDAR}|Google|English|German|French|Spanish|Java\w*|Python|Excel)$
`;

/** A place in lower case after "I live in": any single word, several words only if they are a known place. */
function lowerPlace(front: string): string | null {
  const [clause = ''] = front.split(/[,;:.!?()…]|\s-+\s/);
  const stop = STOP.exec(clause);
  const place = (stop ? clause.slice(0, stop.index) : clause).trim();
  if (place === '' || !/^[\p{L}' -]+$/u.test(place)) return null;
  const words = place.split(/\s+/).length;
  const isPlausible = words === 1 && place.length > 2 && !/(?:ing|ly|ness|ment|tion)$/.test(place);
  if (isCountry(place) || isPlausible) return place;
  return words <= 3 && nlp(titled(place)).has('#Place') ? place : null;
}

/** Whether a capitalised text begins with the name of a known place. */
export const isTown = (text: string): boolean =>
  nlp(text.split(/[,.;!?]/)[0] ?? '').has('(#Place|#Address)');

/** Whether a place is a country. Countries that are also islands or cities count as cities. */
export const isCountry = (place: string): boolean =>
  COUNTRIES.has(place.toLowerCase().replace(/^the /, '').replace(/\.$/, ''));

/** The country named after a city and a comma: "Porto, Portugal". */
export function countryAfter(text: string, place: string): string | null {
  const rest = text.slice(text.indexOf(place) + place.length);
  const [, named] =
    /^, ((?:the )?\p{Lu}[\p{L} ]*?)(?=[,.;!?)]|$| and | but | so )/u.exec(rest) ?? [];
  return named && isCountry(named) ? named : null;
}
