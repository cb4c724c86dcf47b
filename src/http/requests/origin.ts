import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Config } from '../../config/config.ts';
import { Refused } from '../errors/refused.ts';

type WithHeaders = Pick<IncomingMessage, 'headers'>;
type Names = Pick<Config['server'], 'corsOrigins' | 'publicUrl'>;

const LOOPBACK = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/i;
const WELL_FORMED = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(:\d+)?$/i;
/** The maximum length of a host name with a port. */
const MOST = 260;

/** Whether a text may be a host name. Anything else is not repeated in the refusal. */
const isHostName = (host: string): boolean =>
  host.length <= MOST && WELL_FORMED.test(host) && URL.canParse(`https://${host}`);

/**
 * Refuses requests of pages whose origin is neither this server nor allowed by CORS_ORIGINS. While callers need
 * no credentials, it also refuses a Host that is not a name of this machine, since a foreign name may point
 * here (DNS rebinding). With credentials that is no danger: such a page has none.
 * @param isOpen whether callers need no credentials at present
 * @throws Refused
 */
export async function refuseForeign(
  request: WithHeaders,
  names: Names,
  isOpen: () => Promise<boolean>,
): Promise<void> {
  const { host = '', origin } = request.headers;
  if (host !== '' && !WELL_FORMED.test(host)) {
    throw new Refused(400, 'BAD_REQUEST', 'The Host header is not a host name.');
  }
  if (!LOOPBACK.test(host) && !isPublicHost(host, names) && (await isOpen())) {
    throw new Refused(403, 'FORBIDDEN', adviceForHost(host));
  }
  if (origin === undefined || isOwnOrAllowed(origin, host, names)) return;
  throw new Refused(403, 'FORBIDDEN', adviceForOrigin(origin, names));
}

function isOwnOrAllowed(origin: string, host: string, names: Names): boolean {
  if (names.corsOrigins.includes(origin)) return true;
  if (!URL.canParse(origin)) return false;
  const page = new URL(origin);
  return page.host === host || page.origin === publicOrigin(names);
}

const publicOrigin = ({ publicUrl }: Names) => publicUrl && new URL(publicUrl).origin;

/** Whether a Host is that of PUBLIC_URL. The default port may be omitted in either. */
function isPublicHost(host: string, { publicUrl }: Names): boolean {
  if (publicUrl === null) return false;
  const configured = new URL(publicUrl);
  const requested = `${configured.protocol}//${host}`;
  return URL.canParse(requested) && new URL(requested).host === configured.host;
}

function adviceForHost(host: string): string {
  const advice = isHostName(host)
    ? `If clients reach this server as ${host}, behind a proxy, set PUBLIC_URL=https://${host}`
    : 'If clients reach this server by another name, behind a proxy, set PUBLIC_URL to that address';
  return (
    `While it needs no credentials, this server only accepts the host names of its own machine. ${advice}, create an ` +
    'API key with "npm run keys -- create NAME", and send it.'
  );
}

function adviceForOrigin(origin: string, names: Names): string {
  const [, host = ''] = /^https?:\/\/(.*)$/.exec(origin) ?? [];
  if (!isHostName(host))
    return 'This page may not call: only pages of this server and of CORS_ORIGINS may.';
  const hint = names.publicUrl
    ? ''
    : ` If that is the address of this server itself, behind a proxy, set PUBLIC_URL=${origin}.`;
  return `Pages of ${origin} may not call.${hint} If it is another site that may call, add ${origin} to CORS_ORIGINS.`;
}

/**
 * Lets an allowed page of another origin read the answer (CORS). Without cookies: callers
 * authenticate by the Authorization header.
 */
export function allowOrigin(
  { headers }: IncomingMessage,
  response: ServerResponse,
  allowed: readonly string[],
): void {
  if (allowed.length === 0) return;
  response.setHeader('vary', 'Origin');
  const { origin } = headers;
  if (origin === undefined || !allowed.includes(origin)) return;
  response.setHeader('access-control-allow-origin', origin);
  response.setHeader('access-control-allow-methods', 'GET, POST');
  response.setHeader(
    'access-control-allow-headers',
    headers['access-control-request-headers'] ?? 'authorization, content-type',
  );
  response.setHeader('access-control-max-age', '600');
}
