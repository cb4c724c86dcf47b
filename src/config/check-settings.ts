import { isOfThisMachine } from './address.ts';
import { closestName } from './closest-name.ts';
import { type Config, loadConfig } from './config.ts';
import { type Env, envSchema } from './env.ts';
import { InvalidEnvironment } from './invalid-environment.ts';
import { readEnv } from './read-env.ts';

/** Something about the settings that an operator should know. */
export type SettingNote = { level: 'warning' | 'problem'; message: string; advice: string };

type Source = Record<string, string | undefined>;

/** Settings of commands, which the server does not read. */
const OF_COMMANDS = ['MNEMOGRAPH_URL', 'MNEMOGRAPH_API_KEY', 'MNEMOGRAPH_HOOK_STATE'];
/** How names begin that nothing else uses. */
const OWN = /^(MNEMOGRAPH|EPISODIC|CONSOLIDATION|LINKING|REASONER|EMBEDDING)_/;

/**
 * Reads the settings as the server does, and says what is wrong with them, unknown, or without effect.
 * @returns the configuration too; null if the server would not start with it
 */
export function checkSettings(source: Source = process.env): {
  config: Config | null;
  notes: SettingNote[];
} {
  const unknown = unknownIn(source);
  try {
    const config = loadConfig(source);
    return {
      config,
      notes: [...unknown, ...idleIn(source), ...idleTimeoutsIn(config), ...exposedIn(source)],
    };
  } catch (error) {
    if (!(error instanceof InvalidEnvironment)) throw error;
    const lines = error.message.split('\n').filter((line) => !line.endsWith(':'));
    const wrong = lines.map((line) => ({
      level: 'problem' as const,
      message: line.trim(),
      advice: 'change or remove it: the server does not start with it',
    }));
    return { config: null, notes: [...unknown, ...wrong] };
  }
}

/** Variables that look like settings and are none. */
function unknownIn(source: Source): SettingNote[] {
  const names = [...Object.keys(envSchema.shape), ...OF_COMMANDS];
  return Object.keys(source).flatMap((name) => {
    if (names.includes(name)) return [];
    const bare = name.replace(/^MNEMOGRAPH_/, '');
    const meant = names.includes(bare) ? bare : closestName(name, names);
    if (meant === null && !OWN.test(name)) return [];
    return {
      level: 'warning' as const,
      message: `${name} is not a setting`,
      advice: meant
        ? `set ${meant} if that is meant`
        : 'see the list of settings in docs/configuration.md',
    };
  });
}

/** Settings that need others, and have no effect without them. */
const NEEDS: readonly { names: (keyof Env)[]; what: string; has: (env: Env) => boolean }[] = [
  {
    names: ['DATA_DIR', 'DISK_RESERVE_MB'],
    what: 'DATABASE_URL is set, so the embedded database is not used',
    has: (env) => env.DATABASE_URL === undefined,
  },
  {
    names: ['JWT_ISSUER', 'JWT_AUDIENCE'],
    what: 'neither JWT_SECRET nor JWT_JWKS_URL is set, so no user token is accepted',
    has: (env) => env.JWT_SECRET !== undefined || env.JWT_JWKS_URL !== undefined,
  },
  {
    names: ['REASONER_MODEL', 'REASONER_STEPS', 'REASONER_TEMPERATURE', 'REASONER_INPUT_TOKENS'],
    what: 'REASONER is extractive, so no model does the language work',
    has: (env) => env.REASONER !== 'extractive',
  },
  {
    names: ['EMBEDDING_MODEL', 'EMBEDDING_DIMENSIONS', 'EMBEDDING_BASE_URL', 'EMBEDDING_API_KEY'],
    what: 'EMBEDDER is built-in or none, so no other model makes vectors',
    has: (env) => env.EMBEDDER === 'openai' || env.EMBEDDER === 'local',
  },
  {
    names: ['MODEL_DAILY_TOKENS'],
    what: 'no model behind a server is used',
    has: (env) => env.REASONER === 'openai' || env.EMBEDDER === 'openai',
  },
];

function idleIn(source: Source): SettingNote[] {
  const env = readEnv(source);
  const idle = NEEDS.filter(({ has }) => !has(env)).flatMap(({ names, what }) =>
    names
      .filter((name) => source[name])
      .map((name) => ({
        level: 'warning' as const,
        message: `${name} has no effect: ${what}`,
        advice: 'remove one of the two',
      })),
  );
  if (env.WORKERS > 0) return idle;
  const message = 'WORKERS is 0, so this process does no background work';
  return [...idle, { level: 'warning', message, advice: 'run another process with workers' }];
}

/** Timeouts of explicit channels, where the caller picks the thread and no silence begins another. */
function idleTimeoutsIn({ threads }: Config): SettingNote[] {
  return [...threads.channelRules].flatMap(
    ([name, { kind, inactivityTimeoutMinutes: minutes }]) => {
      if (kind !== 'EXPLICIT' || minutes === null) return [];
      return {
        level: 'warning' as const,
        message: `CHANNELS: the ${minutes} minutes of "${name}" count for imports only, since it is EXPLICIT`,
        advice:
          'leave the minutes out; after what silence an explicit thread is idle says EXPLICIT_IDLE_MINUTES',
      };
    },
  );
}

/** A server that others can reach over the network, without a proxy that encrypts what they send. */
function exposedIn(source: Source): SettingNote[] {
  const env = readEnv(source);
  if (isOfThisMachine(env) || env.PUBLIC_URL?.startsWith('https:')) return [];
  return [
    {
      level: 'warning',
      message: `The server is reachable over the network (HOST=${env.HOST}), and nothing says that a proxy encrypts the connections`,
      advice: 'put a proxy with TLS before it, and set PUBLIC_URL to its https address',
    },
  ];
}
