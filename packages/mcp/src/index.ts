export { type Access, type Ask, Refusal } from './ask.ts';
export { createMemoryServer, type MemoryServerOptions } from './server.ts';
export { type StdioOptions, serveOverStdio } from './stdio.ts';
