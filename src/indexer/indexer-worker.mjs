// Used only when the server runs from its sources. It is JavaScript because a worker thread does not inherit the TypeScript loader.
import { register } from 'tsx/esm/api';

register();
export const { termsOfTexts, cuesOfTexts } = await import('./read-texts.ts');
