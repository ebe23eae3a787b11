// What `server/main.js` is for the server: with the cache on, neither this program nor the check of the client's
// sources needs the compiler.
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

enableCompileCache(join(import.meta.dirname, '../node_modules/.cache/compile'));

await import('./start.ts');
