/**
 * The addresses of a server, and what to paste to use it.
 * @param origin the address at which clients reach it, without a slash at its end
 * @param isOpen whether callers need no credentials
 */
export function guideTo(origin: string, isOpen: boolean): string {
  const url = `${origin}/mcp`;
  const headers = isOpen ? {} : { headers: { Authorization: 'Bearer YOUR_KEY' } };
  const header = isOpen ? '' : ' --header "Authorization: Bearer YOUR_KEY"';
  const options = isOpen ? `{ url: '${origin}' }` : `{ url: '${origin}', apiKey: 'YOUR_KEY' }`;
  const memory = isOpen ? 'memory' : "memory.as('ada')";
  return `
  Console   ${origin}/console/
  GraphiQL  ${origin}/graphql
  MCP       ${url}

Claude Code:
  claude mcp add --transport http mnemograph ${url}${header}
Cursor, in .cursor/mcp.json:
  ${JSON.stringify({ mcpServers: { mnemograph: { url, ...headers } } })}
VS Code, in .vscode/mcp.json:
  ${JSON.stringify({ servers: { mnemograph: { type: 'http', url, ...headers } } })}
TypeScript:
  import { createMemory } from '@mnemograph/client';
  const memory = createMemory(${options});
  await ${memory}.remember('Marta is vegetarian.', { channel: 'sms' });
  const { markdown } = await ${memory}.context('Where shall we eat?', { channel: 'sms' });
  console.log(markdown);
`;
}
