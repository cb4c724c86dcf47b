import { checkSettings } from '../../config/check-settings.ts';
import { ownAddress } from '../support/own-address.ts';
import { checkFolder } from './check-folder.ts';
import { checkModels } from './check-models.ts';
import { checkNode } from './check-node.ts';
import { checkPostgres } from './check-postgres.ts';
import { checkServer } from './check-server.ts';
import { type Finding, findingsAbout } from './finding.ts';

/**
 * Examines settings, the database and models that they name, and a server.
 * @param server which server to ask, and with which key. If its address was not named, the one that valid settings would start is asked.
 * @param env the settings; the environment's by default
 */
export async function examine(
  { url, isNamed, apiKey }: { url: string; isNamed: boolean; apiKey?: string | undefined },
  env?: Record<string, string | undefined>,
): Promise<Finding[]> {
  const { config, notes } = checkSettings(env);
  const about = findingsAbout('settings');
  const settings = notes.map(({ level, message, advice }) => about[level](message, advice));
  if (settings.length === 0) settings.push(about.ok('all of them make sense'));
  const database = config?.database.url ?? null;
  return [
    checkNode(process.versions.node),
    ...settings,
    ...(config && database === null ? await checkFolder(config) : []),
    ...(config && database !== null ? await checkPostgres(database, config) : []),
    ...(config ? await checkModels(config) : []),
    ...(await checkServer({
      url: isNamed || !config ? url : ownAddress(config),
      apiKey,
      isNamed,
      config: isNamed ? null : config,
    })),
  ];
}
