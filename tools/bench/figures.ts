/** The benchmarks that `npm run bench` runs, each a command of its own, with their arguments in full and in short form. */
export const PARTS = {
  remember: {
    command: 'bench:remember',
    onPostgres: true,
    full: [],
    short: ['--rounds', '1', '--single', '100', '--concurrent', '300', '--batched', '500'],
  },
  rememberEmbedded: {
    command: 'bench:remember',
    onPostgres: false,
    full: [],
    short: null,
  },
  recall: {
    command: 'bench:recall',
    onPostgres: true,
    full: [],
    short: ['--users', '2', '--turns', '500', '--rounds', '3', '--queries', '60'],
  },
  load: {
    command: 'bench:load',
    onPostgres: true,
    full: [],
    short: null,
  },
  server: {
    command: 'bench:server',
    onPostgres: false,
    full: [],
    short: null,
  },
  linking: {
    command: 'bench:linking',
    onPostgres: false,
    full: [],
    short: null,
  },
  largeImport: {
    command: 'bench:server',
    onPostgres: true,
    full: ['--turns', '20000'],
    short: null,
  },
} as const satisfies Record<string, Part>;

type Part = {
  command: string;
  onPostgres: boolean;
  full: readonly string[];
  /** Null: not in the short form. */
  short: readonly string[] | null;
};
export type PartName = keyof typeof PARTS;

/** One line of the table. */
export type Figure = {
  part: PartName;
  name: string;
  /** Where the figure stands in the command's JSON. */
  at: string;
  goal: number;
  /** Whether a higher figure is better; otherwise a lower one is. */
  higher?: true;
  /** Where the ratio to the reference of the same run stands; lower is better. */
  ratioAt?: string;
  /** Where the reference's own figure stands. */
  referenceAt?: string;
};

/** What is measured, with the goals for two cores on which the database and the client run, too. */
export const FIGURES: readonly Figure[] = [
  {
    part: 'remember',
    name: '`remember`, one at a time over HTTP, p50 ms',
    at: 'rememberP50Ms',
    goal: 3,
    ratioAt: 'rememberToBareP50',
    referenceAt: 'bareP50Ms',
  },
  { part: 'remember', name: 'the same, p95 ms', at: 'rememberP95Ms', goal: 8 },
  {
    part: 'remember',
    name: '`remember`, 8 in flight, turns a second',
    at: 'turnsPerSecond8InFlight',
    goal: 900,
    higher: true,
    ratioAt: 'bareToRememberRate',
    referenceAt: 'bareRowsPerSecond8InFlight',
  },
  {
    part: 'rememberEmbedded',
    name: '`remember`, embedded, one at a time, p50 ms',
    at: 'rememberP50Ms',
    goal: 5,
  },
  {
    part: 'rememberEmbedded',
    name: '`remember`, embedded, 8 in flight, turns a second',
    at: 'turnsPerSecond8InFlight',
    goal: 400,
    higher: true,
  },
  {
    part: 'remember',
    name: 'background, turns a second until nothing is pending',
    at: 'backgroundTurnsPerSecond',
    goal: 150,
    higher: true,
  },
  {
    part: 'largeImport',
    name: 'import of 20,000 turns until everything is derived, s',
    at: 'importSeconds',
    goal: 180,
  },
  {
    part: 'recall',
    name: 'recall among 500 turns, end to end over HTTP, p50 ms',
    at: 'endToEndP50Ms',
    goal: 5,
    ratioAt: 'endToEndToReference',
    referenceAt: 'referenceP50Ms',
  },
  { part: 'recall', name: 'the same, p95 ms', at: 'endToEndP95Ms', goal: 9 },
  {
    part: 'recall',
    name: 'recall through the graph, vector given, p50 ms',
    at: 'graphP50Ms',
    goal: 5,
    ratioAt: 'graphRatio',
    referenceAt: 'referenceP50Ms',
  },
  {
    part: 'server',
    name: 'recall among 10,000 turns, embedded, p50 ms',
    at: 'recallP50Ms',
    goal: 12,
  },
  { part: 'server', name: 'resident memory at rest, embedded, MB', at: 'idleMegabytes', goal: 250 },
  {
    part: 'server',
    name: 'resident memory after 10,000 turns and recalls, embedded, MB',
    at: 'fullMegabytes',
    goal: 400,
  },
  { part: 'server', name: 'processor at rest, % of a core', at: 'idlePercent', goal: 0.3 },
  {
    part: 'server',
    name: 'first start on an empty folder to first recall, s',
    at: 'firstStartSeconds',
    goal: 4,
  },
  {
    part: 'server',
    name: 'start with 10,000 turns to first recall, s',
    at: 'secondStartSeconds',
    goal: 1.5,
  },
  {
    part: 'linking',
    name: 'linking a thread with 1,000 others, 450 of the same day, ms',
    at: 'linkThreadMs',
    goal: 300,
  },
  {
    part: 'load',
    name: 'event lag, 1,000 subscribers, 50 turns a second, p50 ms',
    at: 'eventP50Ms',
    goal: 20,
  },
  { part: 'load', name: 'the same, p95 ms', at: 'eventP95Ms', goal: 45 },
];
