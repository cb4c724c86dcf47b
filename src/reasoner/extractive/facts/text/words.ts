import { MONTH_NAMES, MONTHS, WEEKDAY } from '../../../../language/en/time/named-date.ts';
import { pattern, source } from '../../../../language/text/pattern.ts';

/** The words between bars in a template. */
const list = (...pieces: Parameters<typeof source>): string[] =>
  source(...pieces)
    .toLowerCase()
    .split('|');
export const set = (...pieces: Parameters<typeof source>): ReadonlySet<string> =>
  new Set(list(...pieces));

/** The source of a pattern for a list of words, the longest first. */
export const oneOf = (words: Iterable<string>): string =>
  [...words]
    .sort((a, b) => b.length - a.length)
    .map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join('|');

export const FEW = 'two|three|four|five|six|seven|eight|nine|ten';
export const TENS = 'twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety';
export const TEENS = 'eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen';

/** The end of an age: "47 and my back knows it", "three years old". */
export const AGE_END = source`
  (?=\s*(?:$|[.;!?()–—]|,(?! ?\d)|-?\s?(?:years?|yrs?)[- ](?:old|young|of age)\b|-?\s?(?:months?|yrs?)(?:[- ]old)?\b
  (?! (?:older|younger|ago|away))|\s?y\.?/?o\b|(?:and(?! a half)|but|so|now|today|this|last|yesterday|already|btw
  |by the way|or so|with|from|on (?:${WEEKDAY}|the)|in (?:${MONTH_NAMES}|spring|summer|autumn|winter)|can|is|who|what
  |which|too|because|since|as of|again|if)\b))
`;

/** The months and weekdays as they are written: no names. */
export const CALENDAR = [
  ...MONTHS,
  ...'monday tuesday wednesday thursday friday saturday sunday'.split(' '),
]
  .map((name) => name.replace(/^./, (letter) => letter.toUpperCase()))
  .join('|');

/** The names of all regions or languages that the platform knows. */
function displayNames(type: 'region' | 'language'): string[] {
  const names = new Intl.DisplayNames('en', { type, fallback: 'none' });
  const letters = 'abcdefghijklmnopqrstuvwxyz';
  return [...letters].flatMap((a) =>
    [...letters].flatMap((b) => {
      const name = names.of(type === 'region' ? `${a}${b}`.toUpperCase() : `${a}${b}`);
      return name ? [name.toLowerCase().split(' (')[0] ?? ''] : [];
    }),
  );
}

export const COUNTRIES: ReadonlySet<string> = new Set(
  [
    ...displayNames('region').filter(
      (name) => !/region|outlying|pseudo|europe|zone|world|nations/.test(name),
    ),
    ...list`
      uk|usa|us|u.s.|u.s.a.|america|united states of america|england|scotland|wales|holland|great britain|britain
      |czech republic|ivory coast|korea|turkey|uae|burma|the states|states|northern ireland|swaziland|macedonia|bosnia
      |hong kong|palestine|east timor|congo|tibet|kurdistan
    `,
  ].filter((name) => !/^(?:singapore|luxembourg|monaco|san marino|guernsey|jersey)$/.test(name)),
);

export const LANGUAGES: ReadonlySet<string> = new Set([
  ...displayNames('language').filter((name) => name.length > 2),
  ...list`
    tagalog|mandarin|cantonese|farsi|flemish|castilian|valencian|scots|swiss german|hokkien|taiwanese|shanghainese
    |sign language|bsl|asl|hawaiian|cebuano|ilocano|konkani|maithili|hmong|cherokee|nahuatl|berber|tamazight|dari
    |frisian|romani|sicilian|neapolitan|ladin|low german|brazilian portuguese|moroccan arabic|egyptian arabic|gaelic
    |creole|patois|papiamento|ladino|sorbian|kurmanji|sorani
  `,
]);
export const LANGUAGE = `(?:${oneOf(LANGUAGES)})`;

/** Relations by birth, marriage or love. */
const KIN = source`
  (?:(?:great-)?grand|god|step|foster )?(?:mother|father|mum|mom|dad|son|daughter|child)(?:-in-law)?|(?:step
  |half[- ])?(?:sister|brother|sibling)(?:-in-law)?|(?:great-)?(?:uncle|aunt)|aunt(?:ie|y)|cousin|niece|nephew|in-law
  |grand(?:ma|pa)|mam|mama|mummy|mommy|daddy|papa|granny|gran|nan|nann?a|grandad|sis|bro|kid|baby|toddler|twin|(?:eld
  |young|old)est|firstborn|(?:ex[- ])?(?:wife|husband|boyfriend|girlfriend)|ex|hubby|spouse|gf|bf|fianc[ée]e?
  |(?:better|other) half|significant other
`;
/** Those that one meets often. */
const CLOSE = source`
  friend|bestie|mate|(?:pen ?)?pal|(?:(?:study|gym) )?buddy|(?:flat|room|house)-?mate|(?:work|team|desk|class
  |band)mate|neighbou?r|boss|(?:line )?manager|colleague|co-?worker|landlord|landlady
`;
const RELATIONS = source`
  ${KIN}|(?:business |training )?partner|${CLOSE}|supervisor|team lead|co-?founder|assistant|intern|mentor|mentee
  |apprentice|teacher|tutor|coach|trainer|therapist|doctor|gp|dentist|physio(?:therapist)?|accountant|lawyer|solicitor
  |psychologist|psychiatrist|counsell?or|midwife|vet|hairdresser|nanny|babysitter|cleaner|childminder|au pair|lodger
  |tenant|client|professor|advis[eo]r
`;

/** Adjectives of people and animals that are no part of a key: "my old cat". */
export const ADJECTIVE = source`
  older|younger|little|big|baby|twin|elder|eldest|oldest|youngest|new|old|dear|late|lovely|teenage|current|former
  |beloved|elderly|poor|tiny|own|good|close|rescue|pet|black|white|ginger|grey|gray|brown|fat|silly|crazy|stupid|young
  |family|house|senior|sweet|darling|blind|deaf|giant|stray
`;
/** Those that tell one from another: "my best friend". */
const WHICH = source`
  ${ADJECTIVE}|best|closest|other|only|identical|middle|long-term|longtime|childhood|school|work|direct|upstairs
  |downstairs|next[- ]door|wonderful|amazing|first|second|foster|adopted|great|maternal|paternal|grown-up|grown|adult
  |tabby|three-legged|one-eyed|orange|spotted
`;
/** The source of a pattern for relations: "best friend", "older sister". It has no groups. */
export const RELATION = `(?:(?:${WHICH}) ){0,2}(?:${RELATIONS})`;
/** The same for family, and with those that one meets often. */
export const RELATIVE = `(?:(?:${WHICH}) ){0,2}(?:${KIN})`;
export const CLOSE_ONE = `(?:(?:${WHICH}) ){0,2}(?:${KIN}|partner|${CLOSE})`;

export const SPECIES = list`
  cat|dog|kitten|kitty|puppy|pup|hound|rabbit|bunny|hamster|guinea pig|parrot|budgie|canary|cockatiel|cockatoo
  |tortoise|turtle|terrapin|goldfish|fish|betta|horse|pony|mare|stallion|gelding|foal|snake|corn snake|python|lizard
  |gecko|leopard gecko|iguana|chameleon|bearded dragon|ferret|rat|mouse|gerbil|chinchilla|hedgehog|goat|pig|sheep|lamb
  |cow|donkey|mule|alpaca|llama|hen|chicken|rooster|cockerel|duck|goose|pigeon|parakeet|lovebird|macaw|finch|frog|toad
  |axolotl|newt|tarantula|spider|crab|hermit crab|snail|stick insect|degu|owl|falcon|peacock|turkey|calf|bull|pet
`;
export const ANIMAL = `(?:(?:${WHICH}) ){0,2}(?:${oneOf(SPECIES)})`;

const BREED_WORD = pattern('i')`
  (?:terrier|hound|poodle|spaniel|retriever|shepherd|collie|pinscher|shorthair|longhair|coon|bulldog|mastiff|setter
  |pointer|schnauzer|sheepdog|malamute|doodle|poo|mix|cross|crossbreed|lop|cob|dane|bernard|newfoundland|angora|rex
  |blue|fold|dog|cat|corgi|elkhound|deerhound|wolfhound|ridgeback|spitz|inu|tzu|cattle dog|lionhead|dwarf)$|^
  (?:whippet|dachshund|pug|husky|labrador|lab|beagle|boxer|rottweiler|mutt|mongrel|tabby|chihuahua|dalmatian|lurcher
  |samoyed|akita|sphynx|siamese|persian|ragdoll|bengal|burmese|birman|tortoiseshell|calico|moggy|moggie|pomeranian
  |maltese|havanese|papillon|weimaraner|vizsla|basenji|saluki|borzoi|bichon|bichon frise|westie|yorkie|staffie|staffy
  |jack russell|doberman|dobermann|leonberger|komondor|kelpie|heeler|griffon|shetland|haflinger|arabian|icelandic
  |friesian|fjord|african grey|cockatiel|lovebird|dutch|flemish giant|abyssinian|chartreux|turkish van)$
`;
const NO_ANIMAL = pattern('i')`
  ^(?:(?:good|great|bad|big|lovely|nice|lap|guide|guard|sheep|old|happy|small|sweet|indoor|outdoor|house|rescue
  |service|therapy|fat|scaredy|clever|fussy|lazy|picky|the|very|real|true|wild|mad|grumpy|shy|nervous|hunting|working
  |little|young) ){0,4}(?:dog|cat|mix|cross|blue|dwarf|rex)$
`;

export const isBreed = (noun: string): boolean =>
  BREED_WORD.test(noun.trim()) && !NO_ANIMAL.test(noun.trim());

/** Traits of character. States of the moment ("I am tired") are not included. */
export const TRAITS = set`
  shy|introverted|extroverted|extraverted|impatient|patient|organised|organized|disorganised|disorganized|unorganised
  |unorganized|stubborn|competitive|anxious|forgetful|punctual|sensitive|easy-going|easygoing|easy going|laid-back
  |laid back|ambitious|creative|clumsy|messy|tidy|indecisive|talkative|blunt|cautious|curious|reserved|outgoing
  |sociable|antisocial|sarcastic|cynical|optimistic|pessimistic|spontaneous|methodical|meticulous|pedantic
  |perfectionistic|superstitious|gullible|absent-minded|scatterbrained|chatty|quiet|sceptical|skeptical|thrifty|frugal
  |stingy|generous|risk-averse|risk averse|detail-oriented|detail oriented|hot-headed|short-tempered|squeamish|nosy
  |neurotic|analytical|empathetic|self-conscious|insecure|assertive|nervous|restless|lazy|hard-working|hardworking
  |workaholic|fussy|picky|dramatic|direct|old-fashioned|down-to-earth|adventurous|nerdy|geeky|thick-skinned
  |thin-skinned|soft-spoken|headstrong|disciplined|undisciplined|a bit ocd|conscientious|easily distracted
  |easily bored|easily stressed|easily overwhelmed|a slow starter|slow to trust|bad with names|terrible with names
  |bad at small talk|bad with deadlines|rubbish with names|allergic to small talk|no good at small talk|hyperactive
  |contrarian|argumentative|conflict-averse|level-headed|calm under pressure|emotional|romantic|sentimental|religious
  |spiritual|jealous
`;
const TYPES = set`
  introvert|extrovert|extravert|ambivert|perfectionist|night owl|early bird|early riser|late riser|lark|morning lark
  |optimist|pessimist|realist|idealist|cynic|sceptic|skeptic|worrier|worrywart|procrastinator|homebody|loner
  |overthinker|over thinker|dreamer|daydreamer|light sleeper|heavy sleeper|deep sleeper|bad sleeper|control freak
  |neat freak|clean freak|planner|over planner|people pleaser|workaholic|minimalist|maximalist|hoarder|chatterbox
  |bookworm|nerd|geek|drama queen|romantic|hopeless romantic|softie|pushover|hothead|thrill seeker|adrenaline junkie
  |risk taker|slow starter|slow learner|fast learner|quick learner|visual learner|visual thinker|list maker
  |creature of habit|stickler|stickler for detail|stickler for punctuality|pedant|free spirit|team player|lone wolf
  |good listener|bad loser|sore loser|poor loser|know it all|scatterbrain|klutz|coward|scaredy cat|crier
  |big picture person|morning grump|social butterfly|party animal|couch potato|tech phobe|technophobe|luddite
  |hypochondriac|penny pincher|spendthrift|cheapskate|fatalist|feminist|fidget|wallflower|leader|follower
  |rule follower|contrarian|skinflint|empath|foodie
`;
/** How much somebody is something: "a total perfectionist". */
export const GREAT = source`
  bit of an?|total|real|true|complete|classic|born|natural|big|huge|great|massive|major|notorious|hopeless|chronic
  |terrible|textbook|recovering|lifelong|self-confessed|serious|fellow|proper|incurable|absolute|confirmed|typical
  |extreme|shameless|die-?hard|devoted|long-?time
`;
const NO_TRAIT = pattern()`^(?:(?:${GREAT}|bit|little|of a|strong|very|bad|awful) )+(?:an? )?`;

const NO_PERSON = pattern()`
  ^(?:cat|dog|disabled|young|old|elderly|single|sick|married|tall|only|busy|lucky|first|last|real|wrong|right
  |different|new|happy|bad|good|terrible|better|nice|tea|coffee|mac|pc|windows|linux|android|iphone|beer|wine|book)\b
`;

/** Whether the noun of "I am a …" describes character. */
export const isPersonality = (noun: string): boolean => {
  const type = noun.toLowerCase();
  const bare = type.replace(NO_TRAIT, '');
  return (
    [type, bare].some((word) => TYPES.has(word.replaceAll('-', ' '))) ||
    (/^[\p{L}-]+ person$/u.test(bare) && !NO_PERSON.test(bare))
  );
};

export const DIETS = source`
  vegan|vegetarian|veggie|pesc[ae]tarian|flexitarian|(?:lacto|ovo)-vegetarian|plant[- ]based|(?:gluten|dairy|lactose
  |sugar|nut)[- ]free|low[- ](?:carb|fodmap|salt|sodium)|fodmap|kosher|halal|keto(?:genic)?|paleo|carnivore|raw vegan
  |fruitarian|macrobiotic|mediterranean|jain|whole30
`;
