/** An entry of a lock file. */
type Locked = {
  version?: string;
  resolved?: string;
  link?: boolean;
  hasInstallScript?: boolean;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
  peerDependenciesMeta?: Record<string, { optional?: boolean }>;
};

/** The parts of package-lock.json that matter here. */
export type Lock = { packages: Record<string, Locked> };

/**
 * The entries of package-lock.json that somebody gets who installs the package: what it needs, and what that needs. What is
 * optional is left out. Workspaces count as what they hold.
 * @throws if package-lock.json lacks a package that is needed
 */
export function installedBy({ packages }: Lock): Lock['packages'] {
  const kept: Lock['packages'] = {};
  const keepAll = (path: string, entry: Locked): void => {
    for (const name of needsOf(entry)) {
      const place = placeOf(packages, path, name);
      if (place === null) throw new Error(`package-lock.json lacks ${name}`);
      if (kept[place]) continue;
      const found = packages[place] as Locked;
      const held = found.link ? (packages[found.resolved ?? ''] as Locked) : found;
      kept[place] = held;
      keepAll(place, held);
    }
  };
  keepAll('', packages[''] as Locked);
  return kept;
}

/** The names of the packages that an entry does not run without. */
function needsOf(entry: Locked): string[] {
  const { dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta } = entry;
  const peers = Object.keys(peerDependencies ?? {}).filter(
    (name) => !peerDependenciesMeta?.[name]?.optional,
  );
  const names = [...Object.keys(dependencies ?? {}), ...peers];
  return names.filter((name) => !(name in (optionalDependencies ?? {})));
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
