// Used only when the server runs from its sources. It is JavaScript because a worker thread does not inherit the TypeScript loader.
import { register } from 'tsx/esm/api';

register();
const { default: termsOfTexts } = await import('./terms-worker.ts');

// biome-ignore lint/style/noDefaultExport: Piscina calls a worker's default export.
export default termsOfTexts;
