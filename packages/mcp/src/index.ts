export { type Access, type Ask, Refusal } from './ask.ts';
export { CHANGING, changedAmong, changesList, type Happened } from './changes.ts';
export { CHANGES } from './operations.ts';
export { createMemoryServer, type MemoryServerOptions, TOOL_NAMES } from './server.ts';
export { type StdioOptions, serveOverStdio } from './stdio.ts';
