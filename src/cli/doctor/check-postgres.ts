import type { Config } from '../../config/config.ts';
import { MigrationError } from '../../db/core/migration-error.ts';
import { type Diagnosis, diagnose } from '../../db/operations/diagnosis.ts';
import { embedderFinding } from './check-embedder.ts';
import { type Finding, findingsAbout, reasonOf } from './finding.ts';
import { deadJobsFinding } from './jobs.ts';

const { ok, warning, problem } = findingsAbout('PostgreSQL');

/** pgvector older than this lacks iterative scans. */
const OLDEST_VECTOR = [0, 8];
/** Clocks may differ by this many seconds: leases of background steps last 15. */
const CLOCK_ERROR = 5;
/** Codes with which PostgreSQL refuses a login or knows no such database. */
const REFUSED = new Set(['28P01', '28000', '3D000']);

/** Looks at the PostgreSQL server of DATABASE_URL, in a session that cannot write. */
export async function checkPostgres(url: string, config: Config): Promise<Finding[]> {
  try {
    return findingsOf(await diagnose({ connectionString: url }), config);
  } catch (error) {
    return [troubleFinding(error)];
  }
}

/** What to say of a database that answers. */
export const findingsOf = (found: Diagnosis, config: Config): Finding[] => [
  ok(`version ${found.server} answers`),
  vectorFinding(found),
  ...clockFindings(found),
  schemaFinding(found),
  ...contentFindings(found, config),
];

function troubleFinding(error: unknown): Finding {
  if (error instanceof MigrationError) {
    return problem(reasonOf(error), 'use the version of Mnemograph that this database belongs to');
  }
  const { code = '' } = error as { code?: string };
  return REFUSED.has(code)
    ? problem(`it refuses the login: ${reasonOf(error)}`, 'correct DATABASE_URL')
    : problem(
        `it cannot be reached: ${reasonOf(error)}`,
        'start it, or correct the host and port of DATABASE_URL',
      );
}

function vectorFinding({ vector, vectorAvailable }: Diagnosis): Finding {
  const version = vector ?? vectorAvailable;
  if (version === null) {
    return problem('pgvector is not there', 'install pgvector 0.8 or later on that server');
  }
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [oldestMajor = 0, oldestMinor = 0] = OLDEST_VECTOR;
  if (major > oldestMajor || minor >= oldestMinor) return ok(`pgvector ${version}`);
  const advice = 'install pgvector 0.8 or later, then run "ALTER EXTENSION vector UPDATE"';
  return problem(`pgvector ${version} is too old`, advice);
}

function clockFindings({ clockAhead }: Diagnosis): Finding[] {
  if (Math.abs(clockAhead) <= CLOCK_ERROR) return [];
  const seconds = Math.round(Math.abs(clockAhead));
  const message = `the clock here is ${seconds} s ${clockAhead > 0 ? 'ahead of' : 'behind'} that of the database`;
  return [warning(message, 'synchronize the clocks, as with NTP: servers share work by them')];
}

const schemaFinding = ({ pending }: Diagnosis): Finding =>
  pending.length === 0
    ? ok('its schema is that of this version')
    : ok(`${pending.length} migrations will be applied when the server starts`);

function contentFindings({ contents }: Diagnosis, config: Config): Finding[] {
  if (!contents) return [];
  const { keys, embedders, deadJobs, backlog, waited } = contents;
  const names = embedders.map(({ name }) => name);
  const { openWithoutKeys, secret, jwksUrl } = config.auth;
  const isLocked = keys === 0 && !openWithoutKeys && !secret && !jwksUrl;
  const limit = config.readyStallSeconds;
  return [
    ...(isLocked
      ? [
          warning(
            'every caller needs credentials, and there is no API key',
            'create one with "mnemograph keys create NAME"',
          ),
        ]
      : []),
    ...embedderFinding(names, config),
    waited > limit
      ? problem(
          `a background step has waited for ${Math.round(waited)} s (READY_STALL_SECONDS: ${limit})`,
          'start a server with workers, and look at its log',
        )
      : ok(`${backlog} jobs wait or run`),
    deadJobsFinding(deadJobs),
  ];
}
