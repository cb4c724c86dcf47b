/** `src`, `dist` (bundled by `npm run build`) or `build` (compiled module by module for the tests): where this code runs from. */
const [folder = ''] = /^.*\/(?:src|dist|build)\//.exec(import.meta.url) ?? [];

/** The folder of the code that runs. Files that are bundled know only by it where others are. */
export const CODE_FOLDER = new URL(folder);

/** The folder of the package, which holds `package.json`. */
export const PACKAGE_FOLDER = new URL('../', CODE_FOLDER);
