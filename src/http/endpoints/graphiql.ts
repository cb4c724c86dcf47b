import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { exampleTabs } from './graphiql-tabs.ts';

type File = { type: string; body: Buffer; etag: string };

/** With this policy the browser lets the page talk to this server only. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "worker-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  'font-src data:',
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const page = (favicon: string) => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <title>Mnemograph</title>
    <link rel="icon" href="${favicon}" />
    <link rel="stylesheet" href="graphiql/app.css" />
  </head>
  <body class="no-focus-outline">
    <noscript>GraphiQL needs JavaScript.</noscript>
    <div id="root"></div>
    <script src="graphiql/app.js"></script>
    <script src="graphiql/start.js"></script>
  </body>
</html>
`;

/** Prevents the draggable tabs from moving when the pointer goes down: a click would miss them. */
const style = '.graphiql-tab { transform: none !important; }';

/** Starts GraphiQL. It does not send a tab's headers over WebSocket, so they are sent as connection parameters there. */
const start = `self.MonacoEnvironment = {
  globalAPI: false,
  getWorkerUrl: (_module, label) => 'graphiql/' + label + '.js',
};
const connectionParams = () => {
  try {
    const { tabs, activeTabIndex } = JSON.parse(localStorage.getItem('graphiql:tabState'));
    return JSON.parse(tabs[activeTabIndex].headers);
  } catch {
    return {};
  }
};
YogaGraphiQL.renderYogaGraphiQL(document.querySelector('#root'), {
  title: 'Mnemograph',
  subscriptionsProtocol: 'WS',
  connectionParams,
  defaultEditorToolsVisibility: false,
  defaultTabs: ${JSON.stringify(exampleTabs)},
});
`;

/** Loads GraphiQL and its workers from the package: 9 MB, when a browser opens it for the first time. */
async function load(): Promise<Map<string, File>> {
  const assets = await import('@graphql-yoga/render-graphiql/graphiql');
  const file = async (path: string, type: string, text: string): Promise<[string, File]> => {
    const body = await promisify(gzip)(text);
    const etag = `"${createHash('sha256').update(text).digest('base64url')}"`;
    return [path, { type: `${type}; charset=utf-8`, body, etag }];
  };
  const script = 'text/javascript';
  return new Map([
    await file('/graphql', 'text/html', page(assets.favicon)),
    await file('/graphiql/app.css', 'text/css', assets.css + style),
    await file('/graphiql/app.js', script, assets.js),
    await file('/graphiql/start.js', script, start),
    await file('/graphiql/editorWorkerService.js', script, assets.editorWorkerService),
    await file('/graphiql/json.js', script, assets.jsonWorker),
    await file('/graphiql/graphql.js', script, assets.graphqlWorker),
  ]);
}

/** Creates the handler that serves GraphiQL. It returns false for any other request. */
export function createGraphiQL() {
  let files: Promise<Map<string, File>> | null = null;
  return async (path: string, request: IncomingMessage, response: ServerResponse) => {
    const wanted = path === '/graphql' ? asksForPage(request) : path.startsWith('/graphiql/');
    if (!wanted || request.method !== 'GET') return false;
    files ??= load();
    const file = (await files).get(path);
    if (!file) return false;
    const { type, body, etag } = file;
    response.setHeader('cache-control', 'no-cache');
    response.setHeader('etag', etag);
    if (request.headers['if-none-match'] === etag) {
      response.writeHead(304).end();
      return true;
    }
    response.setHeader('content-type', type);
    response.setHeader('content-security-policy', POLICY);
    response.setHeader('content-encoding', 'gzip');
    response.end(body);
    return true;
  };
}

const asksForPage = ({ headers }: IncomingMessage) =>
  headers.accept?.includes('text/html') ?? false;
