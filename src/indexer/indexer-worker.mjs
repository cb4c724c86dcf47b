// For the sources only: JavaScript, since a worker thread does not inherit the loader that makes TypeScript run.
import { register } from 'tsx/esm/api';

register();
const { default: termsOfTexts } = await import('./terms-worker.ts');

// biome-ignore lint/style/noDefaultExport: Piscina calls a worker's default export.
export default termsOfTexts;
