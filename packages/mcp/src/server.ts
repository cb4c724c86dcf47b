import { McpServer } from '@modelcontextprotocol/server';
import type { Access } from './ask.ts';
import { registerContinue } from './continue.ts';
import { registerResources } from './resources.ts';
import { INSTRUCTIONS } from './settings.ts';
import type { Tool } from './tool.ts';
import { context } from './tools/context.ts';
import { correctFact } from './tools/correct-fact.ts';
import { facts } from './tools/facts.ts';
import { forget } from './tools/forget.ts';
import { open } from './tools/open.ts';
import { recall } from './tools/recall.ts';
import { remember } from './tools/remember.ts';

const VERSION = '0.2.0';
const TOOLS: readonly Tool[] = [context, recall, open, facts, remember, correctFact, forget];
/** The names of all tools. */
export const TOOL_NAMES: readonly string[] = TOOLS.map(({ name }) => name);
const LEVELS = ['READ', 'WRITE', 'ALL'] as const;

/** One user's memory, and what may be done with it. */
export type MemoryServerOptions = Access & {
  /** What the credentials permit: tools that need more are not there. */
  permits: (typeof LEVELS)[number];
  /** The names of the only tools to offer; null = all. */
  only?: readonly string[] | null;
  /** Whether changes of resources reach the host. */
  announces?: boolean;
};

/** Creates an MCP server for one user's memory, over any transport and for either era of the protocol. */
export function createMemoryServer({
  permits,
  only = null,
  announces = false,
  ...access
}: MemoryServerOptions) {
  const capabilities = {
    tools: { listChanged: false },
    prompts: { listChanged: false },
    resources: { subscribe: announces, listChanged: announces },
  };
  const server = new McpServer(
    { name: 'mnemograph', version: VERSION },
    { instructions: INSTRUCTIONS, capabilities },
  );
  const isPermitted = ({ needs }: Tool) => LEVELS.indexOf(needs) <= LEVELS.indexOf(permits);
  for (const tool of TOOLS) {
    if (isPermitted(tool) && (only === null || only.includes(tool.name))) {
      tool.register(server, access);
    }
  }
  registerResources(server, access);
  registerContinue(server, access);
  return server;
}
