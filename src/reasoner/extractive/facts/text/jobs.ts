import { pattern, source } from '../../../../language/text/pattern.ts';
import { nlp } from '../../text/tagger.ts';
import { set } from './words.ts';

const JOBS = set`
  nurse|midwife|chef|cook|sous-chef|pilot|judge|clerk|guard|maid|host|hostess|coach|monk|nun|priest|imam|rabbi|vicar
  |vet|gp|paramedic|mechanic|medic|architect|student|undergrad|undergraduate|postgrad|phd|postdoc|apprentice|intern
  |trainee|temp|consultant|accountant|assistant|attendant|agent|lieutenant|sergeant|civil servant|merchant|analyst
  |barista|barman|barmaid|barkeep|concierge|diplomat|detective|cop|marine|captain|colonel|secretary|dietitian
  |historian|guardian ad litem|custodian|comedian|paralegal|attorney|notary|model|dj|ceo|cto|cfo|coo|dba|sre|devops|qa
  |actor|actress|waitress|stewardess|seamstress|steward|nanny|au pair|surgeon|fireman|policeman|policewoman|postman
  |mailman|fisherman|fisherwoman|salesman|saleswoman|salesperson|businessman|businesswoman|handyman|craftsman
  |cameraman|tradesman|tradesperson|craftswoman|stay-at-home dad|stay-at-home mum|stay-at-home mom|stay-at-home parent
  |housewife|househusband|carer|retiree|entrepreneur|dean|principal|academic|guide|diver|warden|smith|mason|tiler
  |baker|coder|sysadmin|admin|buyer|tech|tutor|physio|miner|referee|umpire|actuary|planner|director of photography
  |cellist by profession|osteopath|astronaut|lifeguard|publican|landlord|usher|registrar|roadie|acrobat|clown
  |stevedore|cabbie|chauffeur|jockey|groom|milkman|critic|masseuse|masseur|rep|representative|coastguard|mayor
  |spokesperson|foreman|forewoman|doorman|bellhop|valet|draughtsman|urban planner|product owner|lead|associate
  |executive|engineer|manager|instructor|teacher|director|officer|designer|developer|producer|editor|supervisor
  |inspector|lecturer|advisor|adviser|contractor|coordinator|trainer|operator|writer|researcher
`;
const NOT_JOBS = set`
  messenger|beginner|newcomer|member|customer|subscriber|dreamer|overthinker|sleeper|smoker|non-smoker|drinker|reader
  |walker|fighter|sufferer|homeowner|believer|follower|number|mother|father|brother|sister|stepfather|stepmother
  |foreigner|stranger|outsider|insider|worrier|thinker|learner|teenager|youngster|speaker|runner|cyclist|birder
  |birdwatcher|swimmer|surfer|climber|snowboarder|knitter|collector|player|traveller|traveler|commuter|sucker|quitter
  |latecomer|hoarder|winner|monster|sinner|optimist|pessimist|realist|perfectionist|minimalist|feminist|atheist
  |tourist|motorist|idealist|fatalist|debtor|visitor|survivor|purist|completionist|hobbyist|passenger|renter|lodger
  |settler|sitter|spender|shopper|planner|over-planner|procrastinator|vegetarian|pescatarian|flexitarian|starter
  |late-comer|over-thinker|pleaser|seeker|early-riser|listener|stickler|bother|bummer|disaster|cancer|wonder|matter
  |computer|finger|winter|summer|widower|pacifist|buddhist|communist|socialist|anarchist|nationalist|monarchist
  |materialist|narcissist|masochist|nihilist|stoicist|cellist|violinist|pianist|guitarist|flautist|bassist|saxophonist
  |drummer|bird-watcher|worker|character
`;
const FANCY = pattern('i')`
  ^(?:very |quite |pretty |really )?(?:big|huge|terrible|bad|good|great|slow|fast|heavy|light|late|keen|avid
  |passionate|amateur|hobby|proud|lucky|happy|regular|frequent|first-time|long-time|longtime|lifelong|better|worse
  |decent|lousy|horrible|awful|hopeless|fellow|mere|tiny|poor|strong|weak|total|complete|recreational|weekend|casual
  |occasional|aspiring|wannabe|would-be|budding|secret|closet|future|terrific|excellent|mediocre|useless|quick|natural
  |visual|talented|rubbish|wonderful|nervous|confident|constant|messy|serial)\b
`;
const JOB_SUFFIX = /(?:er|or|ist|ician|arian|wright|smith|mason|herd|monger|nurse|dresser|hand)$/;
/** Adjectives and phrases that end like an occupation. */
const NO_NOUN = pattern()`
  \b(?:better|older|younger|bigger|smaller|faster|taller|shorter|closer|sober|eager|bitter|clever|tender|proper|super
  |over|under|never|after|inferior|superior|junior|senior|minor|major|indoor|outdoor|poor|prior|exterior|for|or|is|are
  |was|my|your|i|to|about|than|not|so)$|\b(?:is|are|was|to|about|than|not|so|if|i|you|your|my)\b
`;

/** Phrases that end like an occupation but are none: "doing my PhD", "at a detention center". */
const DOING = /^(?:doing|finishing|starting|from|at|in|on|with|for|to|of|off|near) |\bmy /i;

const NO_JOB_WORD = pattern()`
  ^(?:professional|session|concert|youth|social|care|factory|warehouse|office|support|aid|case|farm|construction
  |charity|outreach|key|event|wedding|city|town|production|film|furniture|cheese|urban|financial|sex|steel|metal|dock
  |hospital|childcare|war|military)$
`;

/** Whether a word is a common noun, rather than a name or an adverb: "teacher", not "Alexander" or "together". */
const isNoun = (word: string): boolean =>
  nlp(word).has('#Noun') && !nlp(word).has('(#FirstName|#Adverb|#Date)');

/** Whether a noun phrase names an occupation. Without an article (`isSure` false) it is less sure. */
export function isOccupation(noun: string, isSure = true): boolean {
  const words = noun
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s/-]/gu, '')
    .trim()
    .split(/\s+/);
  const head = words.at(-1) ?? '';
  if (words.length > 6 || head === '' || FANCY.test(noun) || DOING.test(noun)) return false;
  if (JOBS.has(words.join(' ')) || JOBS.has(words.slice(-2).join(' '))) return true;
  if (NOT_JOBS.has(head) && !NO_JOB_WORD.test(words.at(-2) ?? '')) return false;
  if (JOBS.has(head)) return words.length < 5;
  if (/^\p{L}+ing$/u.test(words[0] ?? '') || NO_NOUN.test(words.join(' '))) return false;
  return JOB_SUFFIX.test(head) && head.length > 5 && (isSure || isNoun(head));
}

/** Fields of work: "I work in finance". */
export const FIELD = source`
  (?:finance|marketing|banking|insurance|healthcare|health care|hospitality|retail|education|publishing|advertising
  |construction|logistics|manufacturing|agriculture|software|tech|it|hr|human resources|pr|public relations|sales|law
  |accounting|accountancy|procurement|customer (?:service|support|care)|politics|journalism|media|film|television|tv
  |theatre|tourism|real estate|pharma|pharmaceuticals|biotech|research|academia|engineering|data science
  |cyber ?security|fashion|catering|forestry|mining|shipping|aviation|aerospace|telecoms|energy|renewables|oil and gas
  |social (?:work|care)|childcare|elder care|palliative care|intensive care|oncology|radiology|paediatrics|pediatrics
  |emergency medicine|quality assurance|product management|project management|graphic design|architecture|gaming
  |game development|supply chain|compliance|audit|consulting|recruitment|robotics|machine learning|web development
  |devops|fundraising|conservation|local government|the civil service|the public sector|the nonprofit sector
  |event management|events|interior design|food production|fintech|edtech|e-commerce|ecommerce|security
  |waste management|the \w+ (?:industry|trade))
`;

/** Kinds of businesses: "I run a bakery". */
export const BUSINESS = source`
  (?:bakery|caf[eé]|shop|bookshop|bookstore|store|farm|restaurant|salon|studio|agency|company|business|start-?up|hotel
  |hostel|guesthouse|b&b|bed and breakfast|gym|brewery|winery|vineyard|nursery|garage|workshop|practice|firm|pub|bar
  |food truck|stall|florist|gallery|pottery|dairy|school|kindergarten|clinic|pharmacy|laundrette|consultancy
  |publishing house|theatre|campsite|boatyard|barber ?shop|deli|butcher(?:y|'s)|ngo|charity|nonprofit|magazine
  |newspaper|ice cream parlour|tea room|orchard)
`;
