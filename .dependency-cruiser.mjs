/**
 * Which folder of src/ may import which: imports point down. Start files and commands are at the top, then schema/ and
 * jobs/, then the steps (remember/, recall/, watch/), then context.ts and memory.ts, then the adapters, then domain/, then
 * language/, and shared/ at the bottom. app.ts, which opens all of them, is known to start files and commands only.
 */

/** The files at the top of src/ that say what the steps are: anybody may know them. */
const PIPELINE = '^src/(pipeline|requests|steps)\\.ts$';
const CONTEXT = '^src/(context|memory)\\.ts$';
const WORKER_FILE = '^src/worker-file\\.ts$';
/** The interfaces by which steps have language work done; they are types to them. */
const LANGUAGE_WORK = '^src/(reasoner/reasoner|language-threads/rules)\\.ts$';

const room = (...names) => `^src/(${names.join('|')})/`;

/** What a room may import besides itself and packages. */
const allows = (from, to, comment) => ({
  name: `rooms: ${from.join(', ')}`,
  comment,
  severity: 'error',
  from: { path: room(...from) },
  to: { path: '^src/', pathNot: [room(...from), ...to] },
});

const BASE = room('domain', 'language', 'shared');

export default {
  forbidden: [
    {
      name: 'shared is at the bottom',
      comment: 'What every room may use knows none of them.',
      severity: 'error',
      from: { path: room('shared') },
      to: { path: '^src/', pathNot: room('shared') },
    },
    {
      name: 'language knows no domain',
      comment: 'Rules that read text know nothing of what is made of it.',
      severity: 'error',
      from: { path: room('language') },
      to: { path: '^src/', pathNot: room('language', 'shared') },
    },
    {
      name: 'domain is pure',
      comment: 'domain/, language/ and shared/ read no clock, file or database.',
      severity: 'error',
      from: { path: BASE },
      to: {
        path: '^node:|node_modules/(@prisma|@pothos|graphql|openai|pg)',
      },
    },
    allows(['domain'], [BASE], 'The rules know nothing of those who use them.'),
    allows(['config'], [BASE, PIPELINE], 'Settings know what they set.'),
    allows(
      ['language-threads'],
      [BASE, room('reasoner', 'embedder'), WORKER_FILE],
      'The language threads run the rules of language/, domain/ and the built-in reasoner.',
    ),
    allows(
      ['reasoner', 'embedder', 'indexer', 'openai', 'local-models'],
      [BASE, room('observability', 'reasoner', 'embedder', 'openai', 'local-models'), WORKER_FILE],
      'What reads language takes the values of config/ as arguments.',
    ),
    {
      name: 'what makes vectors knows no reasoner',
      severity: 'error',
      from: { path: room('embedder', 'indexer', 'openai', 'local-models') },
      to: { path: room('reasoner') },
    },
    allows(
      ['db', 'events', 'observability'],
      [BASE, room('observability'), PIPELINE, WORKER_FILE],
      'An adapter takes the values of config/ as arguments.',
    ),
    allows(
      ['remember', 'recall', 'watch', 'auth'],
      [BASE, room('db'), CONTEXT, PIPELINE, LANGUAGE_WORK],
      'A step reaches the world through its context; of db/ and of the language work it imports types.',
    ),
    allows(
      ['jobs'],
      [BASE, room('remember', 'recall', 'db', 'observability'), CONTEXT, PIPELINE],
      'The worker calls steps.',
    ),
    allows(
      ['schema'],
      [BASE, room('auth', 'remember', 'recall', 'watch', 'db'), CONTEXT],
      'Resolvers call steps.',
    ),
    allows(
      ['http'],
      [BASE, room('config', 'auth', 'schema'), CONTEXT, '^src/db/core/readiness\\.ts$'],
      'The transport serves schema/ to whom auth/ lets in.',
    ),
    {
      name: 'no adapters in steps',
      comment: 'Steps and resolvers ask through a unit of work (memory.ts); they import types only.',
      severity: 'error',
      from: { path: room('remember', 'recall', 'watch', 'schema', 'jobs', 'http', 'auth') },
      to: { path: ['^src/db/(?!generated/)', LANGUAGE_WORK], dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'packages stand alone',
      comment: 'What others install knows the server by its graph only.',
      severity: 'error',
      from: { path: '^packages/([^/]+)/' },
      to: { path: '^(src|tools|test|packages)/', pathNot: ['^packages/$1/', '^packages/client/'] },
    },
    {
      name: 'only commands use the client',
      severity: 'error',
      from: { path: '^src/', pathNot: room('cli') },
      to: { path: '^packages/', pathNot: '^packages/mcp/' },
    },
    {
      name: 'only /mcp and commands use the tools of MCP',
      severity: 'error',
      from: { path: '^src/', pathNot: [room('cli'), '^src/http/endpoints/mcp'] },
      to: { path: '^packages/mcp/' },
    },
    {
      name: 'no tools in the server',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: '^(tools|test)/' },
    },
    {
      name: 'no cycle of folders',
      severity: 'error',
      scope: 'folder',
      from: { path: '^src/.' },
      to: { circular: true },
    },
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    exclude: { path: '/generated/' },
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: { extensions: ['.ts', '.tsx', '.mjs', '.js'] },
  },
};
