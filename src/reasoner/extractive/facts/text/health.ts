import { pattern, source } from '../../../../language/text/pattern.ts';

/** What helps with a disability. */
export const AID = source`
  (?:wheelchair|crutches|walking (?:frame|stick)|cane|rollator|walker|mobility scooter|hearing aids?|screen ?reader
  |white cane|(?:guide|service|assistance) dog|cochlear implants?|prosthe(?:sis|tic)(?: leg| arm)?|oxygen|insulin pump
  |stairlift|braille display|pacemaker|zimmer frame|magnifier)
`;
/** What somebody has. */
export const CONDITION = source`
  (?:(?:type (?:1|2|one|two) |gestational )?diabetes|asthma|co?eliac(?: disease)?|crohn'?s(?: disease)?|ibs|adhd|add
  |autism|dyslexia|dyscalculia|dyspraxia|epilepsy|(?:rheumatoid )?arthritis|migraines?|chronic (?:migraines?|pain
  |fatigue|back pain)|fibromyalgia|endometriosis|tinnitus|vertigo|insomnia|sleep apno?ea|(?:high|low) blood pressure
  |hypertension|eczema|psoriasis|hay ?fever|scoliosis|parkinson'?s|multiple sclerosis|ms|lupus|anxiety|depression|ocd
  |bipolar disorder|ptsd|(?:bad|dodgy|weak) (?:back|heart|knees?|ankles?|hips?|shoulder|eyesight|hearing|wrists?)
  |kidney disease|gout|carpal tunnel|rsi|raynaud'?s|ana?emia|(?:acid )?reflux|hearing loss|low vision
  |colou?r[- ]blindness|(?:herniated|slipped) disc|fear of (?:heights|flying|spiders|needles|dogs|the dark)
  |phobia of [\p{L} ]+|limited mobility|mobility issues|tremor|long covid|(?:a )?stammer|stutter|gluten (?:intolerance
  |sensitivity)|(?:heart|back|knee|thyroid) (?:problems|condition)|hypothyroidism|(?:(?:breast|lung
  |prostate|skin|bowel|colon|ovarian|cervical|pancreatic|thyroid|liver|stomach|bladder|kidney|brain|bone|throat|mouth
  |testicular) )?cancer|(?:vascular )?dementia|alzheimer'?s(?: disease)?|leuka?emia|lymphoma|cystic fibrosis|down'?s?[ ]
  syndrome|cerebral palsy|copd|pcos|schizophrenia|(?:heart|liver|lung) (?:disease|failure)|kidney failure
  |hip dysplasia|osteoporosis|glaucoma)
`;
/** What somebody is. */
export const STATE = source`
  (?:colou?r[- ]?blind|blind|deaf|hard of hearing|hearing[- ]impaired|visually impaired|partially sighted|dyslexic
  |diabetic|epileptic|asthmatic|autistic|co?eliac|near-?sighted|short-?sighted|left-handed|ana?emic
  |wheelchair[- ]bound|paraplegic|quadriplegic|paraly[sz]ed|disabled|mute|non-verbal|neurodivergent|claustrophobic
  |agoraphobic|immunocompromised|red-green colou?r[- ]?blind|insulin[- ]dependent|bipolar|one-handed|teetotal
  |a teetotaller|sober|pregnant|arthritic|haemophiliac|photosensitive|housebound|face blind|tone deaf)
`;

/** Limits for a while are not kept. */
export const TRANSIENT = pattern('i')`
  \b(?:at the moment|for (?:now|the moment|today|tonight)|temporarily|right now|until|this (?:week|month|morning
  |evening)|for (?:a few|the next|another|a couple of|two|three|six|\d) (?:days|weeks)|broken (?:ankle|leg|foot|toe
  |arm|wrist))\b
`;
