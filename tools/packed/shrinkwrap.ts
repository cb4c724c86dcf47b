/** An entry of a lock file. */
type Locked = {
  name?: string;
  version?: string;
  license?: string;
  resolved?: string;
  link?: boolean;
  optional?: boolean;
  inBundle?: boolean;
  hasInstallScript?: boolean;
  workspaces?: unknown;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
  peerDependenciesMeta?: Record<string, { optional?: boolean }>;
};

/** The parts of package-lock.json that matter here. */
export type Lock = { packages: Record<string, Locked> };

const FLAGS = ['dev', 'devOptional', 'peer', 'extraneous'];

/**
 * The lock file for those who install the package: exactly the versions of package-lock.json, without what only development
 * needs. Workspaces are in the package itself.
 * @param workspaces the names of the workspaces that the package holds
 * @throws if package-lock.json lacks a package that is needed
 */
export function shrinkwrapOf({ packages, ...lock }: Lock, workspaces: readonly string[]): Lock {
  const { workspaces: _, devDependencies: __, ...root } = packages[''] as Locked;
  const kept: Record<string, Locked> = { '': root };
  const keep = (path: string, isOptional: boolean): void => {
    const entry = kept[path];
    // What is needed for something that is optional may be needed for something else as well.
    if (entry && (isOptional || !entry.optional)) return;
    const found = entryAt(packages, path, workspaces);
    kept[path] = isOptional ? { ...found, optional: true } : found;
    keepAll(path, found, isOptional);
  };
  const keepAll = (path: string, entry: Locked, isOptional: boolean): void => {
    for (const [name, optional] of needsOf(entry)) {
      const place = placeOf(packages, path, name);
      if (place !== null) keep(place, isOptional || optional);
      else if (!isOptional && !optional) throw new Error(`package-lock.json lacks ${name}`);
    }
  };
  keepAll('', root, false);
  const sorted = Object.entries(kept).sort(([a], [b]) => (a < b ? -1 : 1));
  return { ...lock, packages: Object.fromEntries(sorted) };
}

/** The packages that an entry needs, and whether it also runs without each. */
function needsOf(entry: Locked): [name: string, isOptional: boolean][] {
  const { dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta } = entry;
  const peers = Object.keys(peerDependencies ?? {}).filter(
    (name) => !peerDependenciesMeta?.[name]?.optional,
  );
  return [
    ...Object.keys(dependencies ?? {}).map((name): [string, boolean] => [name, false]),
    ...peers.map((name): [string, boolean] => [name, false]),
    ...Object.keys(optionalDependencies ?? {}).map((name): [string, boolean] => [name, true]),
  ];
}

/** Where Node.js finds a package from another one: in its own folder, or in the nearest folder above. */
function placeOf(packages: Lock['packages'], from: string, name: string): string | null {
  for (let folder = from; ; folder = folder.slice(0, folder.lastIndexOf('/node_modules/'))) {
    const place = folder === '' ? `node_modules/${name}` : `${folder}/node_modules/${name}`;
    if (packages[place]) return place;
    if (folder === '') return null;
    if (!folder.includes('/node_modules/')) {
      return packages[`node_modules/${name}`] ? `node_modules/${name}` : null;
    }
  }
}

function entryAt(
  packages: Lock['packages'],
  path: string,
  workspaces: readonly string[],
): Locked {
  const entry = packages[path] as Locked;
  if (!entry.link) return without(entry);
  const name = path.slice('node_modules/'.length);
  if (!workspaces.includes(name)) throw new Error(`The package does not hold ${name}`);
  const { name: _, ...held } = packages[entry.resolved ?? ''] as Locked;
  return { ...without(held), inBundle: true };
}

const without = (entry: Locked): Locked =>
  Object.fromEntries(Object.entries(entry).filter(([name]) => !FLAGS.includes(name) && name !== 'optional'));
