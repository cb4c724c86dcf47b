import pg from 'pg';

const NODES = `
SELECT nodename AS host, nodeport AS port, groupid = 0 AS "isCoordinator" FROM pg_dist_node WHERE isactive ORDER BY groupid`;

/** The nodes of the cluster of which this is the coordinator, each with the URL of a database on it. */
async function nodesOf(url: string, database: string) {
  const { rows } = await on(url, (client) =>
    client.query<{ host: string; port: number; isCoordinator: boolean }>(NODES),
  );
  return rows.map(({ host, port, isCoordinator }) => {
    const own = new URL(url);
    if (!isCoordinator) Object.assign(own, { hostname: host, port: String(port) });
    own.pathname = `/${database}`;
    return { host, port, isCoordinator, url: own.href, home: homeOf(own) };
  });
}

/** The URL of the database "postgres" on the same server. */
const homeOf = (url: URL): string => {
  const home = new URL(url);
  home.pathname = '/postgres';
  return home.href;
};

/** Whether the database is the coordinator of a Citus cluster. */
export const isCitus = (url: string): Promise<boolean> =>
  on(url, async (client) => {
    const { rows } = await client.query(`SELECT FROM pg_extension WHERE extname = 'citus'`);
    return rows.length > 0;
  });

/** The key of the advisory lock of whoever makes a database. */
const MAKING = 7_205_760;

/** Databases of a cluster are made one at a time: each sets up roles, which all databases of a node share. */
export const oneAtATime = <T>(url: string, make: () => Promise<T>): Promise<T> =>
  on(url, async (client) => {
    await client.query('SELECT pg_advisory_lock($1)', [MAKING]);
    return make();
  });

/** Creates a database on all nodes of a cluster, empty, with Citus. @returns its URL on the coordinator */
export async function createCitusDatabase(url: string, name: string): Promise<string> {
  const nodes = await nodesOf(url, name);
  for (const node of nodes) {
    await on(node.home, (client) => client.query(`CREATE DATABASE ${name}`));
    await on(node.url, (client) => client.query('CREATE EXTENSION citus'));
  }
  const coordinator = nodes.find((node) => node.isCoordinator);
  if (!coordinator) throw new Error('The coordinator has no host name: citus_set_coordinator_host');
  await on(coordinator.url, async (client) => {
    await client.query('SELECT citus_set_coordinator_host($1, $2)', [
      coordinator.host,
      coordinator.port,
    ]);
    for (const { host, port, isCoordinator } of nodes) {
      if (!isCoordinator) await client.query('SELECT citus_add_node($1, $2)', [host, port]);
    }
  });
  return coordinator.url;
}

/** Drops a database on all nodes of a cluster. */
export async function dropCitusDatabase(url: string, name: string): Promise<void> {
  for (const { home } of await nodesOf(url, name)) {
    await on(home, (client) => client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`));
  }
}

async function on<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
