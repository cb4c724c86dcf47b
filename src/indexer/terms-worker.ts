import { termsOfTexts } from './terms-of-texts.ts';

// biome-ignore lint/style/noDefaultExport: Piscina calls a worker's default export.
export default termsOfTexts;
