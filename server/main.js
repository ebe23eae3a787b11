// The server's quick entry. JavaScript, because Node would load its TypeScript compiler (16 MB) for this one file.
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';

// From the second start on every file is found stripped of its types and compiled.
enableCompileCache(join(import.meta.dirname, '../node_modules/.cache/compile'));

// Loading makes much garbage once, and V8 would keep room for as much of it ever after. Back to its default for work.
setFlagsFromString('--semi-space-growth-factor=1');
await import('./src/main.ts');
setFlagsFromString('--semi-space-growth-factor=2');
