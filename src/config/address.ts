import { z } from 'zod';

const LOOPBACK = new Set(['127.0.0.1', '::1', '[::1]', 'localhost']);

/** The settings for the addresses of the server. */
export const addressSettings = {
  HOST: z.string().default('127.0.0.1').describe('The address to listen on.'),
  PORT: z.coerce.number().int().min(0).max(65_535).default(4000).describe('The port to listen on.'),
  PUBLIC_URL: z
    .preprocess(
      (value) => (value === '' ? undefined : value),
      z.url({ protocol: /^https?$/ }).optional(),
    )
    .describe(
      'The address at which clients reach this server through a proxy, such as https://memory.example.com. ' +
        'Requests to that host name are accepted, and every caller needs credentials.',
    ),
};

type Addresses = { HOST: string; PUBLIC_URL?: string | undefined };

/** Whether a host name means this machine itself. */
export const isLoopback = (host: string): boolean => LOOPBACK.has(host);

/** Whether only this machine can reach the server: neither over the network nor through a proxy. */
export const isOfThisMachine = ({ HOST, PUBLIC_URL }: Addresses): boolean =>
  isLoopback(HOST) && (PUBLIC_URL === undefined || isLoopback(new URL(PUBLIC_URL).hostname));
