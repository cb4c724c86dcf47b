import { factKey } from '../../../../domain/facts/fact-key.ts';
import { pattern, source } from '../../../../language/text/pattern.ts';
import { type Draft, END, NEGATIVE, rule, stated } from '../text/draft.ts';
import { clauseOf, thingOf } from '../text/phrases.ts';
import { lived, TIME } from './experience.ts';

const NO_VALUE = /^(?:it|this|that|you|games?|along|safe|nice|devil|fool|part|role|part)\b/i;
const skill = (text: string, says: (value: string) => string, more?: Partial<Draft>) => {
  const value = thingOf(text.replace(/^the /i, ''));
  const isNamed = value !== null && !NO_VALUE.test(value);
  const key = isNamed ? factKey('skill', value) : null;
  return isNamed
    ? stated('EXPERIENCE', value, says(value), { key, importance: 0.5, ...more })
    : null;
};

const INSTRUMENTS = source`
  (?:cello|violin|viola|piano|(?:(?:electric|bass|classical|acoustic) )?guitar|(?:double )?bass|drums|flute|clarinet
  |oboe|bassoon|saxophone|sax|trumpet|trombone|tuba|french horn|horn|harp|organ|accordion|banjo|mandolin|ukulele
  |harmonica|recorder|keyboards?|bagpipes|sitar|tabla|fiddle|lute|percussion|chess|xylophone|marimba|oud|erhu|koto
  |bodhr[aá]n|tin whistle|harpsichord|cornet|euphonium)
`;

const CRAFT = source`
  code|program|knit|sew|cook|swim|ski|bake|sing|draw|dance|touch[- ]type|read (?:sheet )?music|ride (?:a )?(?:horses?
  |bike|bicycle|motorbike|unicycle)
`;

export const ABILITIES = [
  rule((much, { groups: { what = '' } }) => {
    const isNone = much === 'no ';
    const says = (value: string) => `has ${isNone ? 'no ' : ''}experience with ${value}`;
    return skill(what.replace(/^an? /, ''), says, isNone ? NEGATIVE : {});
  })`
    We ~have (?<much>(?:(?:about|over|nearly|almost|more than|around) )?${TIME}(?:'s?)?(?: of)? (?:[\p{L}-]+ )?
    |(?:a lot of|lots of|plenty of|some|extensive|solid|good|years of|decades of|hands-on|professional|much
    |no) )experience (?:in|with|as|of|working (?:in|with|as)|at) (?<what>.+)
  `,
  rule((what, { text }) =>
    /used to/.test(text)
      ? lived(what, `used to play the ${what}`)
      : skill(what, (value) => `plays the ${clauseOf(text.slice(text.indexOf(value)))}`),
  )`
    I (?:can )?~(?:play|have played|have been playing|played|have been learning to play
    |used to play) (?:the |a bit of |a little |some |lead |jazz |classical ){0,4}(?<what>${INSTRUMENTS})\b
  `,
  rule((verb, { text, groups: { what = '' } }) => practised(verb, what, text))`
    I have ~(?:been )?(?<verb>[\p{L}-]+(?:ing|ed)|done|taught|sung|danced|flown|ridden|sewn|knit|written|drawn|grown
    |kept|built|made|run|swum|driven|held) (?<what>[^,;.!?]*?)\b ?(?:for|since|on and off for|all my) (?:${TIME}|(?:19
    |20)\d\d|I was|as long as|ages|forever|years|decades|almost|nearly|over|about|more than|life|childhood|my \w+
    |\w+ years|school|university|primary|college)
  `,
  rule((what) => skill(what, (value) => `can ${value}`))`
    I can ~(?<what>${CRAFT}|weld|juggle|sail|sign|solder|surf|crochet|paint|lip-?read|speed-?read|sight-?read
    |do a backflip|fly (?:a )?(?:planes?|gliders|drones)|drive (?:a )?(?:truck|tractor|lorry|bus)|dance (?:salsa|tango
    |ballet)|use a sewing machine)(?: (?:fluently|well|a bit|in [\p{L} ]{2,20}))?(?! for )${END}
  `,
  rule((what) => skill(what, (value) => `cannot ${value}`, NEGATIVE))`
    I (?:can not|do not know how to|never learn(?:ed|t) (?:how )?to|have no idea how to) (?<what>${CRAFT}|drive
    (?: stick)?|skate|whistle|type|iron|dive|play [\p{L} ]{3,20})${END}
  `,
  rule(
    (what) => skill(what, (value) => `is skilled in ${value}`),
    /^(?:it|that|this|both|all|the moment|what|least|the kitchen)\b/i,
  )`
    I am ~(?:good|great|excellent|brilliant|proficient|skilled|experienced|fluent|advanced|well versed|well-versed
    |trained|certified|competent|decent|handy|an expert|qualified|versed|adept|at home) (?:at|in|with) (?<what>.+)
  `,
  rule((what) => skill(what, (value) => `knows ${value}`))`
    I ~know (?:how to )?(?<what>(?:Python|TypeScript|JavaScript|Java|Rust|Go|SQL|Kotlin|C\+\+|C#|Swift|Ruby|PHP|Excel
    |Photoshop|sign language|first aid|CPR|Morse code|shorthand|Braille)\b.*)
  `,
  rule((what) => skill(what, (value) => `is a qualified ${value}`))`
    I am ~an? (?:certified|trained|qualified|licensed|chartered|registered|accredited) (?<what>[\p{L} -]{3,30}?)${END}
  `,
];

const NO_SKILL = pattern('i')`
  ^(?:liv|wait|try|look|hav|been|want|need|mean|us|work|feel|know|study|tri|lov|hat|lik|wonder|think|stay|sit|stand
  |hold|watch|ask|call|married|based|avoid|gett|be|go|sick|ill|interested|retired|obsessed|fascinat|reading|search|hop
  |happen|struggl|deal|notic|dat|see|suffer|put|follow|stuck)
`;

const NEEDS_OBJECT =
  /^(?:play|do|mak|go|us|work|build|writ|read|teach|sing|taught|made|done|built|run|held|kept)/i;

/** Reads a long practice as a skill: "I have been making cheese for ten years". */
function practised(verb: string, what: string, text: string): Draft | null {
  const object = what.trim() || verb;
  if (NO_SKILL.test(verb) || (object === verb && NEEDS_OBJECT.test(verb))) return null;
  return skill(object, () =>
    `has been ${verb} ${clauseOf(text.slice(text.indexOf(verb) + verb.length + 1))}`.trim(),
  );
}
