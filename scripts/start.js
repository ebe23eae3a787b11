// Turns on the compile cache, as `server/main.js` does. Otherwise this program and the check of the client's sources
// would be compiled again on every start.
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

enableCompileCache(join(import.meta.dirname, '../node_modules/.cache/compile'));

await import('./start.ts');
