import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startPortal } from '@orchestrate/server/testing-api';
import { CLIENTS } from './interop/clients/index.ts';
import type { ClientResult } from './interop/foreign-client.ts';
import { provideDebianPackages, provideNpmPackages, unpackDebianPackages } from './interop/packages.ts';
import { formatDocument, formatLines } from './interop/report.ts';
import { runClient } from './interop/run-client.ts';

const DOCUMENT = join(import.meta.dirname, '../../docs/interoperability.md');

const { client: wanted } = parseArgs({ options: { client: { type: 'string', multiple: true } } }).values;
const chosen = wanted === undefined ? CLIENTS : CLIENTS.filter(({ name }) => wanted.includes(name));
if (chosen.length < (wanted ?? []).length) {
  console.error(`Unknown client in ${wanted?.join(', ')}. Choose from: ${CLIENTS.map(({ name }) => name).join(', ')}.`);
  process.exit(1);
}

provideDebianPackages(chosen);
const nodePrograms = mkdtempSync(join(tmpdir(), 'orchestrate-interop-node-'));
const isInstalled = provideNpmPackages(nodePrograms);
const unpacked = mkdtempSync(join(tmpdir(), 'orchestrate-interop-debian-'));
unpackDebianPackages(chosen, unpacked);
const provided = { nodePrograms: isInstalled ? nodePrograms : undefined, unpacked };

const portal = await startPortal({ env: { RADIUS_PORT: '0', LDAP_PORT: '0', LDAPS_PORT: '0' } });
const results: ClientResult[] = [];
for (const client of chosen) {
  const result = await runClient({ portal, client, provided });
  console.log(formatLines(result));
  results.push(result);
}
await portal.close();
for (const folder of [nodePrograms, unpacked]) rmSync(folder, { recursive: true });

if (chosen === CLIENTS) {
  writeFileSync(DOCUMENT, formatDocument(results, new Date()));
  console.log('Written to docs/interoperability.md.');
}
const all = results.flatMap(({ outcomes }) => [...outcomes.values()]);
process.exitCode = all.some(({ result }) => result === 'failed') ? 1 : 0;
