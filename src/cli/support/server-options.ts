import { type Command, Option } from 'commander';

/** The options for a running server: its address, the credentials and the user. */
export type ServerOptions = { url: string; apiKey?: string; user?: string };

/** Lets an environment variable set an option; an empty one counts as not set. */
export const orFromEnv = (option: Option, name: string): Option =>
  // biome-ignore lint/style/noProcessEnv: an option of a command, no setting of the server
  process.env[name] === '' ? option : option.env(name);

/** Adds the options for a server, whoever the user is. @param unnamed the server that is used without an address, in words */
export const withAddress = (command: Command, unnamed?: string): Command =>
  command
    .addOption(
      orFromEnv(
        new Option('--url <url>', 'the address of the running server'),
        'MNEMOGRAPH_URL',
      ).default('http://localhost:4000', unnamed),
    )
    .addOption(
      orFromEnv(new Option('--api-key <key>', 'an API key or a user token'), 'MNEMOGRAPH_API_KEY'),
    );

/** Adds the options for a user's memory on a server. @param unnamed as in `withAddress` */
export const withServer = (command: Command, unnamed?: string): Command =>
  withAddress(command, unnamed).option(
    '--user <name>',
    'the user whose memory to use; a user token gives access to its own user only',
  );

/** What to say to a caller who acts for many users and named none. */
export const USER_REQUIRED = 'This API key acts for many users: name one with --user.';

/** The address of a path on the server. A path before it is kept, and "/graphql" left out, as by the client. */
export const urlOn = ({ url }: ServerOptions, path: string): string =>
  `${url.replace(/\/(graphql\/?)?$/, '')}${path}`;

export const authorization = ({ apiKey }: ServerOptions): Record<string, string> =>
  apiKey ? { authorization: `Bearer ${apiKey}` } : {};
