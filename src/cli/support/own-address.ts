import type { Config } from '../../config/config.ts';

/** The address at which a program on this machine reaches the graph of the configured server. */
export function ownAddress({ server: { host, port } }: Config): string {
  const reachable = host === '0.0.0.0' || host === '::' ? 'localhost' : host;
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}/graphql`;
}
