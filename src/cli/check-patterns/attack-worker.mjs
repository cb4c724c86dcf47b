// JavaScript, since a worker thread does not inherit the loader that makes TypeScript run.
import { register } from 'tsx/esm/api';

register();
await import('./attack.ts');
