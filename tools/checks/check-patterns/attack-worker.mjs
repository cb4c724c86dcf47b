// JavaScript, since the process is started without the loader that makes TypeScript run.
import { register } from 'tsx/esm/api';

register();
await import('./attack.ts');
