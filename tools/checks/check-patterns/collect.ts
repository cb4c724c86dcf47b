import { join } from 'node:path';
import { builtBy } from './built.ts';
import { sourceFiles, writtenIn } from './literals.ts';
import { distinct, type Pattern } from './pattern.ts';

/** Every expression that is written or built, and the places that build one but did not when they were loaded. */
export type Collected = { patterns: Pattern[]; unseen: string[] };

/** What to look through, by its folder or file from the root. */
export type Scope = {
  /** Our own code: all that it writes is read, and the modules that `isLoaded` names are loaded. */
  own: string;
  isLoaded: (file: string) => boolean;
  /** Folders or files that build expressions when they are used, each with the reason why that may be. */
  builders: Readonly<Record<string, string>>;
  /** The libraries that read what users write. */
  libraries: readonly string[];
};

/** Finds every expression in scope. */
export async function collect(
  root: string,
  { own, isLoaded, builders, libraries }: Scope,
): Promise<Collected> {
  const files = sourceFiles(join(root, own));
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
