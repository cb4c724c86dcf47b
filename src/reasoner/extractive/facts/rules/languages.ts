import { IgnoringCase } from '../../../../language/text/ignoring-case.ts';
import { type Draft, NEGATIVE, rule, stated } from '../text/draft.ts';
import { LANGUAGE } from '../text/words.ts';

const LIST_OF_LANGUAGES = new IgnoringCase(`^${LANGUAGE}(?:(?:,? and |, | & )${LANGUAGE}\\b){0,8}`);

const speaks = (value: string, says: string, more?: Partial<Draft>): Draft =>
  stated('IDENTITY', value, says, { key: 'profile:language', importance: 0.7, ...more });
const speaksNot = (value: string, says: string): Draft =>
  speaks(value, says, { key: null, ...NEGATIVE });
const native = (value: string): Draft => speaks(value, `'s native language is ${value}`);

export const LANGUAGES_SPOKEN = [
  rule((language) => speaksNot(language, `does not speak ${language}`))`
    We (?:do not|can not|can hardly|can barely|barely|hardly|never learned to|can not really|do not really
    |no longer) ~(?:speak|read|understand|know|write)(?: (?:a word of|any|much))? (?<language>${LANGUAGE})\b
  `,
  rule((language) => speaksNot(language, `is not fluent in ${language}`))`
    I am not (?:fluent in|a native) (?<language>${LANGUAGE})\b
  `,
  rule(native)`
    (?:my|our) (?:(?:native|first|mother|home|main|strongest|own|best) )(?:language|tongue) (?:is|'s|was)
    (?: actually)? (?<language>${LANGUAGE})\b
  `,
  rule((rest) => {
    const [languages = ''] = LIST_OF_LANGUAGES.exec(rest) ?? [];
    return speaks(languages, `speaks ${languages}`);
  })`
    We (?:can )?~(?:speak|am fluent in|am bilingual in|grew up speaking|was raised speaking|grew up with|am native in
    |converse in|think in|dream in)(?: \w+ly)? (?<rest>${LANGUAGE}\b.*)
  `,
  rule((degree, { groups: { language = '' } }) =>
    speaks(language, `speaks ${degree} ${language}`, { key: null }),
  )`
    We (?:can )?~(?:speak|know|understand|have) (?<degree>a little(?: bit of)?|a bit of|some|basic|decent|good
    |conversational|broken|rusty|rudimentary|enough) (?<language>${LANGUAGE})\b
  `,
  rule((language) => speaks(language, `speaks ${language}`))`
    I am ~an? (?:native|fluent) (?<language>${LANGUAGE})[- ]speaker
  `,
  rule(native)`
    (?<language>${LANGUAGE}) is my (?:native|first|mother|home|main|best) (?:language|tongue)
  `,
];
