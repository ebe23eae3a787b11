// The server's quick entry. JavaScript, because Node would load its TypeScript compiler (16 MB) for this one file.
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

// From the second start on every file is found stripped of its types and compiled.
enableCompileCache(join(import.meta.dirname, '../node_modules/.cache/compile'));

await import('./src/main.ts');
