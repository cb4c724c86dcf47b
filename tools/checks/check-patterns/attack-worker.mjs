// This file is JavaScript, because the process starts without the loader for TypeScript.
import { register } from 'tsx/esm/api';

register();
await import('./attack.ts');
