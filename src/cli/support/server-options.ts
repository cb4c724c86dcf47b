import { type Command, Option } from 'commander';

/** How a running server is reached. */
export type ServerOptions = { url: string; apiKey?: string; user?: string };

/** Adds the options that say which server, with which credentials, and whose memory. */
export const withServer = (command: Command): Command =>
  command
    .addOption(
      new Option('--url <url>', 'the running server')
        .env('MNEMOGRAPH_URL')
        .default('http://localhost:4000'),
    )
    .addOption(
      new Option('--api-key <key>', 'an API key or a user token').env('MNEMOGRAPH_API_KEY'),
    )
    .option('--user <name>', 'whose memory; with a user token only its own');

/** The address of something on the server. */
export const addressOf = ({ url }: ServerOptions, path: string): string => new URL(path, url).href;

export const credentialsOf = ({ apiKey }: ServerOptions): Record<string, string> =>
  apiKey ? { authorization: `Bearer ${apiKey}` } : {};
