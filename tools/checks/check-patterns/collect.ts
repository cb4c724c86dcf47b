import { join } from 'node:path';
import { builtBy } from './built.ts';
import { sourceFiles, writtenIn } from './literals.ts';
import { distinct, type Pattern } from './pattern.ts';

/** All expressions that are written or built, and the places that can build one but did not during loading. */
export type Collected = { patterns: Pattern[]; unseen: string[] };

/** The files to check. Paths are relative to the root. */
export type Scope = {
  /** The folders of our own code. All their literals are read, and the modules for which `isLoaded` is true are loaded. */
  own: readonly string[];
  isLoaded: (file: string) => boolean;
  /** Folders or files that may build expressions when they are used, each with the reason. */
  builders: Readonly<Record<string, string>>;
  /** The libraries that read users' texts. */
  libraries: readonly string[];
};

/** Finds every expression in scope. */
export async function collect(
  root: string,
  { own, isLoaded, builders, libraries }: Scope,
): Promise<Collected> {
  const files = own.flatMap((folder) => sourceFiles(join(root, folder)));
  const written = writtenIn(root, files, true);
  const foreign = writtenIn(
    root,
    libraries.flatMap((library) => sourceFiles(join(root, library))),
    false,
  );
  const loaded = files.filter((file) => isLoaded(file.slice(root.length + 1)));
  const built = await builtBy(root, loaded);
  const seen = new Set(built.flatMap(({ places }) => places));
  return {
    patterns: distinct([...written.literals, ...built, ...foreign.literals]),
    unseen: written.builders.filter(
      (place) => !seen.has(place) && !Object.keys(builders).some((one) => place.startsWith(one)),
    ),
  };
}
