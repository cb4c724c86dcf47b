import { keyPart } from '../../../../domain/facts/fact-key.ts';
import { IgnoringCase } from '../../../../language/text/ignoring-case.ts';
import { pattern } from '../../../../language/text/pattern.ts';
import type { Clause } from '../text/clauses.ts';
import { type Draft, firstReading } from '../text/draft.ts';
import { personNameOf, titledName } from '../text/person-names.ts';
import { type Being, meet, namedByRole, type Scene } from '../text/scene.ts';
import {
  ANIMAL,
  COUNTRIES,
  DIETS,
  FEW,
  isBreed,
  RELATION,
  RELATIVE,
  TEENS,
} from '../text/words.ts';
import { AGE_BEFORE, aged, being, introduced, introduction } from './being-facts.ts';
import { HEALTH, PREDICATES } from './being-predicates.ts';
import { breedNamed, INTRODUCTIONS } from './introductions.ts';
import { namedFirst, namedTogether } from './named-beings.ts';

const OWN = '(?:my|our)';
const SUBJECT = new IgnoringCase(
  `^${OWN} ${AGE_BEFORE}(?:(?<relation>${RELATION})|(?<species>${ANIMAL}))(?=[\\s,.;!?()':]|$)(?<rest>.*)`,
);
const MENTION = new IgnoringCase(
  `\\b${OWN} (?:(?<relation>${RELATION})|(?<species>${ANIMAL}))(?=[\\s,.;!?()':]|$)`,
  'g',
);
const NOT_NAMED = pattern('i')`
  ^(?:and|is|was|has|had|who|which|just|always|never|lives|works|says|said|wants|loves|hates|likes|I|in|on|at|the|also
  |still|got|turned|moved|keeps|gave|made|will|would|can|called|named|from|for|with|to|are|does|did|an?|as|or|but|by
  |about|over|when|if|so|too|then|now|not|last|this|that|today|tomorrow|snores|thinks|told|asked|needs|bought|found
  |started|went|used|came|because)\b
`;

/** The name at the beginning of the text after a relation or species. */
function nameAfter(text: string): string | null {
  const front = text.replace(/^,? ?\(?(?:who is )?(?:called |named |by the name of )?/i, '');
  const titled = titledName(front);
  if (titled) return titled;
  const [country = ''] =
    /^\p{Lu}\p{Ll}+(?=[,.!?)]| (?:is|has|was|and|who|just)\b|$)/u.exec(front) ?? [];
  if (COUNTRIES.has(country.toLowerCase())) return country;
  return NOT_NAMED.test(front)
    ? null
    : personNameOf(front.replace(/^(\p{Lu}[\p{L}\p{M}'’-]*)(?:,| and | or ).*$/u, '$1'));
}

const NUMBER = new RegExp(`^(?:\\d+|one|${FEW}|${TEENS})$`, 'i');
type BeingSubject = { being: Being; drafts: Draft[]; predicate: string };

/** "my sister Melanie lives …" → Melanie, that she is the sister, and "lives …"; "my husband's name is …" → the husband. */
function ownSubject(text: string, scene: Scene): BeingSubject | null {
  const groups = SUBJECT.exec(text)?.groups;
  if (!groups) return null;
  const { relation, species, rest = '', age = '' } = groups;
  const kind = relation ? 'PERSON' : 'PET';
  const role = (relation ?? species ?? '').toLowerCase();
  const isOwner = /^'?s'? /.test(rest);
  const isApposition =
    rest.startsWith(' ') ||
    /^,? ?\(?(?:called|named|who is (?:called|named)) /i.test(rest) ||
    /^(?:, \p{Lu}[\p{L}'-]+(?:[. ]{1,2}\p{Lu}[\p{L}'-]+)?[. ]{0,2},| \(\p{Lu})/u.test(rest);
  const name = isApposition && !isOwner ? nameAfter(rest) : null;
  const found = (name === null ? namedByRole(scene, role) : null) ?? being(kind, role, name);
  if (isOwner) return { being: found, drafts: [], predicate: rest.replace(/^'?s'?/, "'s") };
  const predicate = name === null ? rest : rest.slice(rest.indexOf(name) + name.length);
  const drafts = name === null ? [] : [introduction(found)];
  if (NUMBER.test(age)) drafts.push(aged(found, age));
  return { being: found, drafts, predicate: predicate.replace(/^[\s,)]+/, '') };
}

const FEMALE =
  /mother|mum|mom|mam|sister|wife|girlfriend|gf|fianc[eé]e$|daughter|gran|nan|aunt|niece|landlady/i;
const MALE =
  /father|dad|papa|brother|husband|hubby|boyfriend|bf|fianc[eé]$|\bson\b|grand(?:dad|pa|father)|uncle|nephew|landlord/i;

/** "she lives …" → the being mentioned last, unless the pronoun contradicts. */
function pronounSubject(text: string, { last }: Scene): BeingSubject | null {
  const [whole, pronoun = ''] = /^(he|she|they|it|her|his|their)\b /i.exec(text) ?? [];
  if (!whole || !last) return null;
  const isMale = MALE.test(last.role);
  const isFemale = FEMALE.test(last.role);
  const other = isMale === isFemale ? /^it$/i : isMale ? /^(?:it|she|her)$/i : /^(?:it|he|his)$/i;
  if (last.kind === 'PERSON' && other.test(pronoun)) return null;
  const isOf = /^(?:her|his|their)$/i.test(pronoun);
  return { being: last, drafts: [], predicate: (isOf ? "'s " : '') + text.slice(whole.length) };
}

/** "Zayd has moved …" → somebody known by name. */
function knownSubject(text: string, scene: Scene): BeingSubject | null {
  const [name = ''] = /^[\p{L}\p{M}'’-]+?(?='s\b|[^\p{L}\p{M}'’-]|$)/u.exec(text) ?? [];
  const found = scene.beings.get(keyPart(name));
  const predicate = text.slice(name.length).replace(/^[\s,]+/, '');
  return found ? { being: found, drafts: [], predicate } : null;
}

const NAMING = pattern('iu')`
  ^(?:(?:'s (?:first |full )?name (?:is|was|'s)|name is|(?:is|are|was|'s) (?:called|named)|goes by)(?: now
  | actually)?(?: not (?<wrong>[^,.;:!?]+)[,;:]? (?:but|(?:it|he|she) is(?: called| named)?))? (?<called>.+)|is(?: now| actually)? (?<being>.+))
`;

const RELATIVE_ONLY = new RegExp(`^${RELATIVE}$`, 'i');

/** "my boss is Gudrun", "her name is Ingrid" → the being with its name. */
function named({ being: found, predicate }: BeingSubject): Being | null {
  const { called, being: rest } = NAMING.exec(predicate)?.groups ?? {};
  const text = called ?? rest;
  if (text === undefined) return null;
  // "My dad is Mr Grumpy" names nobody.
  const isTitled = called !== undefined || !RELATIVE_ONLY.test(found.role);
  const titled = isTitled ? titledName(text) : null;
  const proper =
    titled ?? personNameOf(text.replace(/^(\p{Lu}[\p{L}\p{M}'’-]*)(?: and .*|,.*)$/u, '$1'));
  const isWhole =
    proper !== null &&
    /^(?:\s*$|[\s]*[,.;!?)(]| (?:and|but|so|by|she|he|who|now)\b)/.test(text.slice(proper.length));
  if (proper !== null && (called !== undefined || (isWhole && /^\p{Lu}/u.test(text)))) {
    return being(found.kind, found.role, proper);
  }
  const [lower] =
    /^(?!(?:the|an?|not|so|after|in|my|on|mr|mrs|ms|dr|prof)\b)[\p{L}'-]{2,20}/iu.exec(
      called ?? '',
    ) ?? [];
  return lower === undefined ? null : being(found.kind, found.role, lower);
}

/** The key of a pet without a name: "We have a kitten. Her name is …" replaces it by the named pet. */
const namelessKey = ({ kind, who, role }: Being): string | null =>
  kind === 'PET' && who === keyPart(role) ? `profile:pet:${who}:species` : null;

/** Reads what a clause says about people and animals close to the user. */
export function readBeings(clause: Clause, scene: Scene): Draft[] {
  const { text } = clause;
  const subject =
    ownSubject(text, scene) ?? knownSubject(text, scene) ?? pronounSubject(text, scene);
  if (!subject) {
    const introduced = firstReading(INTRODUCTIONS, clause, scene);
    return introduced.length > 0 ? introduced : readAnybody(clause, scene);
  }
  const renamed = subject.drafts.length === 0 ? named(subject) : null;
  if (renamed) {
    const { wrong } = NAMING.exec(subject.predicate)?.groups ?? {};
    const replaces = wrong
      ? introduction(being(renamed.kind, renamed.role, wrong)).key
      : namelessKey(subject.being);
    return [
      {
        ...introduced(scene, renamed),
        isCorrection: clause.isCorrection || wrong !== undefined,
        replaces,
      },
    ];
  }
  meet(scene, subject.being);
  return [
    ...subject.drafts,
    ...readPredicates(clause, subject.predicate.replace(/^who /i, ''), scene),
  ];
}

/** Reads what is said of somebody who was not mentioned before, if their name is a usual one: "Marta is vegetarian". */
function readAnybody(clause: Clause, scene: Scene): Draft[] {
  const [name] =
    /^\p{Lu}[\p{L}\p{M}'’-]+(?= (?:is|has)\b|'s (?!\p{L}+ (?:is|has)\b))/u.exec(clause.text) ?? [];
  if (name === undefined || personNameOf(name.toLowerCase()) === null) return [];
  const last = { kind: 'PERSON', role: '', who: keyPart(name), label: name } as const;
  const text = clause.text.slice(name.length).trimStart();
  return firstReading(HEALTH, { ...clause, text }, { ...scene, last });
}

/** Where a second predicate of the same subject begins: "is vegan and allergic to nuts". */
const NEXT_PREDICATE = pattern('i')`
  (?<joint>,? and |, )(?=(?:(?:also|now|still|just|very|[a-z]+ly) ){0,2}(?:(?:has|is|lives?|works?|was|got|turned|moved
  |became)|(?<is>allergic|${DIETS}|(?:type \d )?diabetic|co?eliac|an?))\b)
`;
const OF_ANOTHER = /\b(?:who|that|which|whose|whom|says?|said|I|we|he|she|they)\b/i;

/** Reads what is said of the being mentioned last, as long as each part is understood: else the next one may be of another. */
function readPredicates(clause: Clause, predicate: string, scene: Scene): Draft[] {
  const read = firstReading(PREDICATES, { ...clause, text: predicate }, scene);
  const { joint = '', is } = NEXT_PREDICATE.exec(predicate)?.groups ?? {};
  const [own = ''] = joint === '' ? [predicate] : predicate.split(joint, 1);
  if (read.length === 0 || own === predicate || OF_ANOTHER.test(own)) return read;
  const next = predicate.slice(own.length + joint.length);
  return [...read, ...readPredicates(clause, is ? `is ${next}` : next, scene)];
}

/** A new pet that is named only later: "we got a kitten. Her name is …". */
const GOT = pattern('iu')`
  \b(?:I|we) (?:(?:have|just|recently|now|also) ){0,4}(?:have|got|adopted|bought|rescued
  |own) an? (?:(?<species>${ANIMAL})(?![\p{L}-])|(?<breed>[\p{L}]+(?: \p{Ll}+)?)(?=[,.!?]))
`;
const BREED_MENTION =
  /\b(?:[Mm]y|[Oo]ur) (?<breed>[\p{Ll}-]+(?: [\p{Ll}-]+)?),? (?<name>\p{Lu}[\p{L}\p{M}'’-]*)/gu;

function meetAnimal(sentence: string, scene: Scene): void {
  const { species, breed = '' } = GOT.exec(sentence)?.groups ?? {};
  const animal = species ?? (isBreed(breed) ? breed : undefined);
  if (animal) meet(scene, being('PET', animal.toLowerCase(), null));
}

const NAME_FOLLOWS =
  /^(?: |, (?=\p{Lu}[\p{L}'’-]+(?: \p{Lu}[\p{L}'’-]+)?[,.;!?)])| \()(?=\p{Lu})|^,? (?:called|named) /u;

/** What stands before a being whose name is asked: "Is my dog named Rex?", "Did I call my cat Mia?". */
const NAME_ASKED = /^(?:\S+,? )?(?:(?:is|are|was|were)(?: not)?|did I (?:name|call)) $/i;
const NAME_ENDS = /^,? (?:called |named )?\S{1,60}(?: \p{Lu}\S{0,60})?(?:$| or\b)/u;
const isNameAsked = (before: string, rest: string): boolean =>
  NAME_ASKED.test(before) && (/^,? (?:called|named) /i.test(rest) || NAME_ENDS.test(rest));

/** Beings mentioned in passing, also in a question: "what can I get my wife Ingrid?" */
export function mentionedBeings(sentence: string, scene: Scene): Draft[] {
  const drafts: Draft[] = [];
  for (const { index, 0: whole, groups = {} } of sentence.matchAll(MENTION)) {
    const rest = sentence.slice(index + whole.length);
    const role = (groups.relation ?? groups.species ?? '').toLowerCase();
    const kind = groups.relation ? 'PERSON' : 'PET';
    const isNamed = NAME_FOLLOWS.test(rest) && !isNameAsked(sentence.slice(0, index), rest);
    const name = isNamed ? nameAfter(rest) : null;
    if (name !== null) drafts.push(introduced(scene, being(kind, role, name)));
    else meet(scene, namedByRole(scene, role) ?? being(kind, role, null));
  }
  drafts.push(...namedFirst(sentence, scene), ...namedTogether(sentence, scene));
  meetAnimal(sentence, scene);
  for (const { groups = {} } of sentence.matchAll(BREED_MENTION)) {
    drafts.push(...breedNamed(groups.breed ?? '', groups.name ?? '', scene));
  }
  return drafts;
}
