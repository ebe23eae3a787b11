import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startPortal } from '@orchestrate/server/double';
import { CLIENTS } from './interop/clients/index.ts';
import { provideDebianPackages, provideNpmPackages } from './interop/packages.ts';
import { formatDocument, formatLines } from './interop/report.ts';
import type { ClientResult } from './interop/result.ts';
import { runClient } from './interop/run-client.ts';

const DOCUMENT = join(import.meta.dirname, '../docs/interoperability.md');

const { client: wanted } = parseArgs({ options: { client: { type: 'string' } } }).values;
const chosen = wanted === undefined ? CLIENTS : CLIENTS.filter(({ name }) => name === wanted);
if (chosen.length === 0) {
  console.error(`There is no client ${wanted}. Choose one of: ${CLIENTS.map(({ name }) => name).join(', ')}.`);
  process.exit(1);
}

provideDebianPackages(chosen);
const nodePrograms = mkdtempSync(join(tmpdir(), 'orchestrate-interop-node-'));
const isInstalled = provideNpmPackages(nodePrograms);

const portal = await startPortal({ env: { RADIUS_PORT: '0', LDAP_PORT: '0' } });
const results: ClientResult[] = [];
for (const client of chosen) {
  const result = await runClient({ portal, client, nodePrograms: isInstalled ? nodePrograms : undefined });
  console.log(formatLines(result));
  results.push(result);
}
await portal.close();
rmSync(nodePrograms, { recursive: true });

if (chosen === CLIENTS) {
  writeFileSync(DOCUMENT, formatDocument(results, new Date()));
  console.log('Written to docs/interoperability.md.');
}
const all = results.flatMap(({ outcomes }) => [...outcomes.values()]);
process.exitCode = all.some(({ result }) => result === 'failed') ? 1 : 0;
