// Fast entry point of the server. Written in JavaScript, because Node would load its TypeScript compiler (16 MB) for
// this one file.
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

// From the second start on, the cache contains every file, compiled and without types.
enableCompileCache(join(import.meta.dirname, '../node_modules/.cache/compile'));

await import('./src/main.ts');
