// Turns on the compile cache, like `server/main.js`, so that neither this program nor the check of the client's sources
// has to be compiled again.
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

enableCompileCache(join(import.meta.dirname, '../node_modules/.cache/compile'));

await import('./start.ts');
