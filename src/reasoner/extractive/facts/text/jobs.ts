import { pattern, source } from '../../../../language/text/pattern.ts';

const list = (text: string): ReadonlySet<string> => new Set(text.split('|'));

const JOBS = list(
  source`
    nurse|midwife|chef|cook|sous-chef|pilot|judge|clerk|guard|maid|butler|host|hostess|coach|monk|nun|priest|imam
    |rabbi|vicar|pastor|vet|gp|paramedic|mechanic|medic|architect|student|undergrad|undergraduate|postgrad|phd
    |postdoc|apprentice|intern|trainee|temp|freelancer|consultant|accountant|assistant|attendant|agent|lieutenant
    |sergeant|civil servant|merchant|analyst|barista|bartender|barman|barmaid|barkeep|concierge|diplomat|detective
    |cop|police officer|soldier|marine|sailor|officer|captain|colonel|secretary|receptionist|librarian|musician
    |magician|politician|physician|technician|electrician|optician|dietician|dietitian|mathematician|statistician
    |beautician|obstetrician|paediatrician|pediatrician|veterinarian|historian|guardian ad litem|custodian|comedian
    |barrister|solicitor|paralegal|lawyer|attorney|notary|model|dj|ceo|cto|cfo|coo|dba|sre|devops|qa|hr manager
    |data scientist|scientist|biologist|chemist|physicist|potter|sculptor|actor|actress|waitress|stewardess
    |seamstress|flight attendant|steward|cashier|courier|joiner|nanny|au pair|babysitter|childminder|surgeon
    |undertaker|farmhand|firefighter|fireman|policeman|policewoman|postman|mailman|fisherman|fisherwoman|salesman
    |saleswoman|salesperson|businessman|businesswoman|handyman|craftsman|cameraman|tradesman|tradesperson
    |craftswoman|stay-at-home dad|stay-at-home mum|stay-at-home mom|stay-at-home parent|housewife|househusband
    |homemaker|carer|retiree|pensioner|entrepreneur|founder|co-founder|cofounder|director|head teacher|headteacher
    |headmaster|dean|principal|professor|lecturer|academic|guide|diver|ranger|warden|smith|mason|glazier|cobbler
    |tailor|tiler|roofer|welder|plumber|carpenter|baker|butcher|brewer|farmer|gardener|driver|trucker|teacher|writer
    |author|editor|reporter|composer|conductor|dancer|singer|painter|photographer|designer|developer|programmer
    |engineer|coder|tester|sysadmin|admin|administrator|manager|supervisor|buyer|seller|trader|broker|banker|teller
    |realtor|estate agent|recruiter|interpreter|translator|researcher|lab tech|tech|trainer|instructor|tutor
    |counsellor|counselor|therapist|psychologist|psychiatrist|pharmacist|dentist|doctor|hygienist|radiographer
    |physio|social worker|care worker|youth worker|factory worker|warehouse worker|shop assistant|beekeeper
    |bookkeeper|goalkeeper|zookeeper|gamekeeper|innkeeper|shopkeeper|caretaker|cleaner|janitor|bricklayer|surveyor
    |builder|contractor|labourer|laborer|miner|sommelier|bouncer|referee|umpire|auditor|actuary|economist|planner
    |producer|director of photography|animator|illustrator|artist|cellist by profession|blacksmith|locksmith
    |goldsmith|silversmith|watchmaker|shoemaker|cheesemaker|winemaker|filmmaker|dressmaker|cabinetmaker|luthier
    |florist|hairdresser|barber|stylist|upholsterer|tattooist|optometrist|chiropractor|osteopath|astronaut
    |astronomer|geologist|archaeologist|meteorologist|oceanographer|forester|logger|arborist|tree surgeon|landscaper
    |lifeguard|publican|landlord|gravedigger|mortician|coroner|usher|projectionist|curator|archivist|registrar
    |conservator|museum guide|stagehand|roadie|puppeteer|lighting technician|acrobat|clown|busker|dispatcher
    |conveyancer|signaller|conductor|stoker|skipper|deckhand|boatbuilder|shipwright|dock worker|stevedore|controller
    |air traffic controller|bus driver|cabbie|chauffeur|jockey|groom|farrier|shepherd|herder|milkman|vintner
    |sous chef|pastry chef|head chef|line cook|dishwasher|caterer|proofreader|copywriter|journalist|columnist|critic
    |blogger|youtuber|streamer|influencer|podcaster|speech therapist|sonographer|phlebotomist|nutritionist|masseuse
    |masseur|yoga teacher|veteran teacher|rep|sales rep|representative|underwriter|adjuster|estimator|paramedic
    |coastguard|customs officer|prison officer|councillor|councilor|mayor|minister|ambassador|senator|spokesperson
    |lobbyist|campaigner|activist|organiser|organizer|fundraiser|operator|fitter|machinist|toolmaker|lathe operator
    |foreman|forewoman|fabricator|assembler|packer|picker|stocker|loader|porter|doorman|bellhop|housekeeper|valet
    |usher|instructor|skipper|scaffolder|decorator|plasterer|electrician|draughtsman|drafter|cartographer|geographer
    |urban planner|linguist|philosopher|sociologist|anthropologist|zoologist|botanist|ecologist|virologist
    |neurologist|cardiologist|radiologist|oncologist|dermatologist|gynaecologist|anaesthetist|pathologist
    |orthodontist|ux researcher|scrum master|product owner|tech lead|team lead|lead|partner|associate|specialist
    |executive|strategist|marketer|advisor|adviser|coordinator|officer|inspector|investigator|examiner|assessor
    |technologist|practitioner|therapist
  `,
);
const NOT_JOBS = list(
  source`
    messenger|beginner|newcomer|member|user|customer|subscriber|loner|dreamer|overthinker|riser|sleeper|smoker
    |non-smoker|drinker|eater|reader|walker|lover|fighter|sufferer|owner|homeowner|believer|follower|number|mother
    |father|brother|sister|stepfather|stepmother|foreigner|stranger|outsider|insider|worrier|thinker|learner
    |teenager|youngster|speaker|gamer|hiker|runner|cyclist|birder|birdwatcher|swimmer|surfer|climber|skier
    |snowboarder|knitter|collector|player|rider|traveller|traveler|commuter|sucker|quitter|latecomer|hoarder|loser
    |winner|monster|sinner|introvert|optimist|pessimist|realist|perfectionist|minimalist|feminist|atheist|tourist
    |motorist|idealist|fatalist|christian|civilian|immigrant|applicant|participant|tenant|infant|giant|elephant
    |veteran|debtor|visitor|survivor|purist|completionist|hobbyist|enthusiast|amateur|expat|nomad|passenger|renter
    |lodger|settler|sitter|spender|saver|shopper|planner|over-planner|procrastinator|vegetarian|vegan|pescatarian
    |flexitarian|newbie|beginner|sceptic|starter|late-comer|over-thinker|pleaser|taker|seeker|maker|early-riser
    |listener|donor|stickler|bother|bummer|disaster|cancer|capricorn|wonder|matter|computer|goner|finger|after|other
    |winter|summer|power|bit|lot|twin|parent|widow|widower|citizen|native|local|resident|pacifist|linguaphile
    |buddhist|communist|socialist|anarchist|nationalist|monarchist|materialist|narcissist|masochist|nihilist
    |stoicist|cellist|violinist|pianist|guitarist|flautist|bassist|saxophonist|drummer|bird-watcher|crier|worker
    |character|carnivore
  `,
);
const FANCY = pattern('i')`
  ^(?:very |quite |pretty |really )?(?:big|huge|terrible|bad|good|great|slow|fast|heavy|light|late|keen|avid
  |passionate|amateur|hobby|proud|lucky|happy|regular|frequent|first-time|long-time|longtime|lifelong|better|worse
  |decent|lousy|horrible|awful|hopeless|fellow|mere|tiny|poor|strong|weak|total|complete|recreational|weekend|casual
  |occasional|aspiring|wannabe|would-be|budding|secret|closet|future|terrific|excellent|mediocre|useless|quick
  |natural|visual|talented|rubbish|wonderful|nervous|confident|constant|messy|serial)\b
`;
const JOB_SUFFIX = /(?:er|or|ist|ician|arian|wright|smith|mason|herd|monger|nurse|dresser|hand)$/;
/** Adjectives and phrases that end like an occupation. */
const NO_NOUN = pattern()`
  \b(?:better|older|younger|bigger|smaller|faster|taller|shorter|closer|sober|eager|bitter|clever|tender|proper
  |super|over|under|never|after|inferior|superior|junior|senior|minor|major|indoor|outdoor|poor|prior|exterior|for
  |or|is|are|was|my|your|i|to|about|than|not|so)$|\b(?:is|are|was|to|about|than|not|so|if|i|you|your|my)\b
`;

/** Phrases that end like an occupation but are none: "doing my PhD", "at a detention center". */
const DOING = /^(?:doing|finishing|starting|from|at|in|on|with|for|to|of|off|near) |\bmy /i;

const NO_JOB_WORD = pattern()`
  ^(?:professional|session|concert|youth|social|care|factory|warehouse|office|support|aid|case|farm|construction
  |charity|outreach|key|event|wedding|city|town|production|film|furniture|cheese|urban|financial|sex|steel|metal
  |dock|hospital|childcare|war|military)$
`;

/** Whether a noun phrase names an occupation. */
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
  return isSure && JOB_SUFFIX.test(head) && head.length > 5;
}

/** Fields of work: "I work in finance". */
export const FIELD = source`
  (?:finance|marketing|banking|insurance|healthcare|health care|hospitality|retail|education|publishing|advertising
  |construction|logistics|manufacturing|agriculture|software|tech|it|hr|human resources|pr|public relations|sales
  |law|accounting|accountancy|procurement|customer (?:service|support|care)|politics|journalism|media|film
  |television|tv|theatre|tourism|real estate|pharma|pharmaceuticals|biotech|research|academia|engineering
  |data science|cyber ?security|fashion|catering|forestry|mining|shipping|aviation|aerospace|telecoms|energy
  |renewables|oil and gas|social (?:work|care)|childcare|elder care|palliative care|intensive care|oncology
  |radiology|paediatrics|pediatrics|emergency medicine|quality assurance|product management|project management
  |graphic design|architecture|gaming|game development|supply chain|compliance|audit|consulting|recruitment|robotics
  |machine learning|web development|devops|fundraising|conservation|local government|the civil service
  |the public sector|the nonprofit sector|event management|events|interior design|food production|fintech|edtech
  |e-commerce|ecommerce|security|waste management|the film industry|the music industry|the wine trade
  |the automotive industry)
`;

/** Kinds of businesses: "I run a bakery". */
export const BUSINESS = source`
  (?:bakery|caf[eé]|coffee shop|shop|bookshop|bookstore|store|farm|restaurant|salon|studio|agency|company|business
  |startup|start-up|hotel|hostel|guesthouse|b&b|bed and breakfast|gym|brewery|winery|vineyard|nursery|garage
  |workshop|practice|law firm|firm|pub|bar|food truck|market stall|stall|florist|gallery|pottery|dairy|school
  |kindergarten|clinic|pharmacy|laundrette|consultancy|publishing house|theatre|campsite|boatyard|bike shop
  |record shop|flower shop|barber ?shop|deli|butcher(?:y|'s)|ngo|charity|nonprofit|magazine|newspaper|riding school
  |dance school|driving school|cheese shop|ice cream parlour|tea room|orchard)
`;
