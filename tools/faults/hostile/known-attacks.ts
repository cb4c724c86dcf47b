/** A text that was found to hang or slow a rule: what it begins with, what is repeated, what makes the rule fail. */
export type Attack = readonly [start: string, pump: string, end: string];

/** Beginnings of phone numbers and of names: the hot path reads them. */
export const BEGINNINGS: readonly Attack[] = [
  ['my tel ', 'it is ', '!'],
  ['call me ', 'it is ', '!'],
  ['get us ', 'it is ', '!'],
  ['My phone number is ', '+1 (555) ', 'x'],
  ['My number is ', '1-', 'x'],
  ['+', '1 ', 'x'],
  ['call me at ', '( ', 'x'],
  ['Call me ', 'Al ', '.'],
  ['My name is ', 'De La ', '1'],
  ['you can reach me on ', '00 ', '!'],
  ["my name isn't ", 'actually ', '?'],
  ['I no longer ', 'really ', ';'],
];

/** "no... no... no…" and its like: people who correct themselves without an end. */
export const CORRECTIONS: readonly Attack[] = [
  ['', 'no... ', 'no'],
  ['', 'No, wait, ', 'I mean'],
  ['NO ', 'SORRY I MEAN ', '\n'],
  ['', 'sorry, ', 'sorry'],
  ['I live in Porto, ', 'no, actually ', '-'],
  ['', 'well... ', 'um'],
];

/** What a checker of backtracking found in the rules and in the libraries that they use. */
export const FOUND: readonly Attack[] = [
  ["OH'", 'SO  SO ', 'R'],
  ['I planted roses today. ', 'So  So ', 'R'],
  ['0H0H0U0H0H0U0H0U\t\t\t', '\t0U\t\t\t\t\t', '!'],
  ['0JAM0JAM0JAM0JAM0JAM0JAM0JAM0JAM0JAM\t ', 'LIMAJAM  \t', '!'],
  ['i have a', 'a fewthe', '!'],
  ['i have ked for a', 'half athe', '!'],
  ['0\t', '\t', 'ª'],
  ['0 ', '\t', 'ª'],
  ['0 ', ' ', 'n'],
  ['i work in obqyspjmiu', ' in obqyy', '!'],
  ['', '\t', '!XD'],
  ['oh it is my if', 'pt', '!'],
  ['\t', ' \t', '!'],
  ['```\n', '\n', '!\n'],
  ['', ' ', 'h'],
  ['', '.', '!.'],
  ['', '!', '?!'],
  ['', ':', '\n:'],
  ['', ' Did you mean ', ''],
  ['', '\n', 'x'],
  ['r', 'vy', ''],
  ['HA', 'A', 'E'],
  [", A'", "'AA", ''],
  ['<', '\t', ''],
  ['', '"', ''],
  ['x', '(', 'I('],
  ['', 'GOOD x', '\n'],
];
