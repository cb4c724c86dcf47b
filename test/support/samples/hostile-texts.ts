/** Units to repeat in a text, by name: letters, signs and blanks. */
const UNITS: Readonly<Record<string, string>> = {
  Latin: 'supercalifragilistic',
  Cyrillic: 'превысокомногорассмотрительствующий',
  Greek: 'σκορδαλιαΣ',
  Hebrew: 'שלוםעולם',
  'Arabic ligatures': 'ﷺ',
  'Arabic ligatures with blanks': 'ﷺ ',
  Devanagari: 'हिन्दीमें',
  Thai: 'ฉันไปตลาดเมื่อวาน',
  'one Thai letter': 'ก',
  Lao: 'ຂ້ອຍໄປຕະຫຼາດ',
  Khmer: 'ខ្ញុំទៅផ្សារ',
  Burmese: 'ကျွန်တော်ဈေးသို့',
  Han: '北京大学我们',
  Kana: 'ひらがなカタカナー',
  Hangul: '서울에갔어요',
  'pairs of halves': '𠀀𠀁',
  emoji: '👨‍👩‍👧',
  'letters with marks': 'a\u0301\u0323\u0302',
  'marks alone': '\u0301\u0323',
  apostrophes: "a'b",
  commas: ',',
  stops: '. ',
  'no and stops': 'no... ',
  blanks: ' ',
  'line ends': '\n',
  'tabs and line ends': '\t\n',
  digits: '1234567890',
  dates: '1.2.2024 ',
  brackets: '[(<{',
  quotes: '"\'',
  fences: '```\n',
  emphasis: '**a',
  prototypes: '__proto__ constructor toString hasOwnProperty ',
};

/** Returns a text of a length that repeats one unit. */
const repeated = (unit: string, length: number): string =>
  unit.repeat(Math.ceil(length / unit.length)).slice(0, length);

/** Returns texts of a length that would make careless rules slow, by name. */
export const hostileTexts = (length: number): readonly (readonly [string, string])[] =>
  Object.entries(UNITS).map(([name, unit]) => [name, repeated(unit, length)]);
