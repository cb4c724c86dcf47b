const words = (text: string): string[] => text.trim().split(/\s+/);

/**
 * English function words in lower case. They occur in nearly every turn, so they hardly distinguish turns and would
 * make up half of the keyword index. They are the closed classes (articles, pronouns, prepositions, conjunctions,
 * auxiliaries), their contractions, and the fillers of chat.
 */
export const STOPWORDS: ReadonlySet<string> = new Set(
  words(`
a an the this that these those
i me my mine myself you your yours yourself yourselves he him his himself she her hers herself
it its itself we us our ours ourselves they them their theirs themselves
who whom whose which what when where why how
and or but nor so if then than because as while though although until unless whether
of at by for with about into through to from in on off out up down over under again further once
am is are was were be been being have has had having do does did doing done
will would shall should can could may might must ought cannot
not no only own same too very just also there here
all any both each few more most other some such
don't doesn't didn't isn't aren't wasn't weren't haven't hasn't hadn't won't wouldn't shan't
shouldn't can't couldn't mustn't mightn't needn't ain't
oh ah hey hi hello yeah yep ok okay um uh hmm wow gonna wanna gotta lol haha
`),
);

const IRREGULAR = `
arise arose arisen;awake awoke awoken;beat beaten;become became;begin began begun;bend bent;bet;
bind bound;bite bit bitten;bleed bled;blow blew blown;break broke broken;breed bred;bring brought;
build built;burn burnt;buy bought;catch caught;choose chose chosen;cling clung;come came;
creep crept;deal dealt;dig dug;draw drew drawn;dream dreamt;drink drank drunk;drive drove driven;
eat ate eaten;fall fell fallen;feed fed;feel felt;fight fought;find found;flee fled;fly flew flown;
forbid forbade forbidden;forget forgot forgotten;forgive forgave forgiven;freeze froze frozen;
get got gotten;give gave given;go went gone;grind ground;grow grew grown;hang hung;hear heard;
hide hid hidden;hold held;keep kept;kneel knelt;know knew known;lay laid;lead led;lean leant;
leap leapt;learn learnt;leave left;lend lent;lie lain;light lit;lose lost;make made;mean meant;
meet met;pay paid;prove proven;ride rode ridden;ring rang rung;rise rose risen;run ran;say said;
see saw seen;seek sought;sell sold;send sent;sew sewn;shake shook shaken;shine shone;shoot shot;
show shown;shrink shrank shrunk;sing sang sung;sink sank sunk;sit sat;sleep slept;slide slid;
smell smelt;speak spoke spoken;spend spent;spin spun;spit spat;stand stood;steal stole stolen;
stick stuck;sting stung;strike struck;swear swore sworn;sweep swept;swell swollen;swim swam swum;
swing swung;take took taken;teach taught;tear tore torn;tell told;think thought;throw threw thrown;
understand understood;wake woke woken;wear wore worn;weave wove woven;weep wept;win won;
withdraw withdrew withdrawn;write wrote written;
child children;man men;woman women;person people;foot feet;tooth teeth;mouse mice;goose geese;
life lives;wife wives;knife knives;half halves;shelf shelves;leaf leaves;loaf loaves;wolf wolves;
good better best;bad worse worst;far farther further
`;

/** Irregular English forms and their lemmas ("went" → "go"), which a suffix stemmer cannot find. */
export const LEMMAS: ReadonlyMap<string, string> = new Map(
  IRREGULAR.split(';').flatMap((entry) => {
    const [lemma = '', ...forms] = words(entry);
    return forms.map((form): [string, string] => [form, lemma]);
  }),
);
