/** A text that once made a rule slow: its beginning, the part that is repeated, and the end that makes the rule fail. */
export type Attack = readonly [start: string, pump: string, end: string];

/** Beginnings of phone numbers and names, which the hot path reads. */
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

/** Endless self-corrections: "no... no... no…". */
export const CORRECTIONS: readonly Attack[] = [
  ['', 'no... ', 'no'],
  ['', 'No, wait, ', 'I mean'],
  ['NO ', 'SORRY I MEAN ', '\n'],
  ['', 'sorry, ', 'sorry'],
  ['I live in Porto, ', 'no, actually ', '-'],
  ['', 'well... ', 'um'],
];

/** Attacks that a checker for backtracking found in the rules and their libraries. */
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
