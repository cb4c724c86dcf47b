/** A package of package-lock.json. */
type Locked = { version?: string; license?: string; dev?: boolean; link?: boolean };

/** Licences that allow use in any program, as SPDX expressions. */
const ALLOWED = new Set([
  '(AFL-2.1 OR BSD-3-Clause)',
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'EPL-2.0',
  'ISC',
  'MIT',
  'MIT and ISC',
  'Unlicense',
]);

/**
 * Describes what is installed without development parts, by licence, as Markdown.
 * @param packages "packages" of package-lock.json: by folder
 * @throws for a package without a licence, or with one that is not allowed
 */
export function describeLicences(packages: Record<string, Locked>): string {
  const byLicence = new Map<string, Set<string>>();
  for (const [folder, { version, license, dev, link }] of Object.entries(packages)) {
    const [, name] = /.*node_modules\/(.+)$/.exec(folder) ?? [];
    if (!name || dev || link) continue;
    if (!license || !ALLOWED.has(license)) {
      throw new Error(`${name} ${version} has the licence ${license}: see ALLOWED in this file`);
    }
    const names = byLicence.get(license) ?? new Set();
    byLicence.set(license, names.add(`${name} ${version}`));
  }
  const sections = [...byLicence]
    .sort(([a, one], [b, other]) => other.size - one.size || (a < b ? -1 : 1))
    .map(
      ([licence, names]) => `## ${licence} (${names.size})\n\n${[...names].sort().join(', ')}\n`,
    );
  return `${HEAD}\n${sections.join('\n')}`;
}

const HEAD = `# Licences

Everything that an installation without development parts may contain, optional packages included. Made from \`package-lock.json\` by
\`npm run docs:api\`; \`npm run sbom\` prints the same as CycloneDX.
`;
