import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { formatDocument, formatTable, type RowResult } from './bench/report.ts';
import type { Row } from './bench/row.ts';
import { audit } from './bench/rows/audit.ts';
import { coldStart } from './bench/rows/cold-start.ts';
import { csvInvite } from './bench/rows/csv-invite.ts';
import { journal } from './bench/rows/journal.ts';
import { oidc } from './bench/rows/oidc.ts';
import { radius } from './bench/rows/radius.ts';
import { reads } from './bench/rows/reads.ts';
import { saml } from './bench/rows/saml.ts';
import { scim } from './bench/rows/scim.ts';
import { scimCost } from './bench/rows/scim-cost.ts';
import { search } from './bench/rows/search.ts';
import { signIns } from './bench/rows/sign-ins.ts';
import { spaces } from './bench/rows/spaces.ts';
import { testInstance } from './bench/rows/test-instance.ts';
import { waits } from './bench/rows/waits.ts';
import { worlds } from './bench/rows/worlds.ts';

const ROWS: readonly Row[] = [
  coldStart,
  testInstance,
  spaces,
  waits,
  worlds,
  journal,
  reads,
  search,
  signIns,
  oidc,
  saml,
  radius,
  csvInvite,
  scim,
  scimCost,
  audit,
];
const DOCUMENT = join(import.meta.dirname, '../../docs/benchmarks.md');

const { row: wanted } = parseArgs({ options: { row: { type: 'string' } } }).values;
const chosen = wanted === undefined ? ROWS : ROWS.filter(({ name }) => name === wanted);
if (chosen.length === 0) {
  console.error(`There is no row ${wanted}. Choose one of: ${ROWS.map(({ name }) => name).join(', ')}.`);
  process.exit(1);
}

const processors = cpus();
const surroundings = {
  cores: processors.length,
  processor: processors[0]?.model.trim() ?? 'unknown',
  memoryGB: Math.round(totalmem() / 2 ** 30),
  node: process.versions.node,
  platform: `${process.platform} ${process.arch}`,
  load: loadavg()[0] ?? 0,
  now: new Date(),
};

/** Runs a row in its own folder. If it fails, the folder stays, because it contains the programs' error output. */
async function run(row: Row): Promise<RowResult> {
  console.error(`${row.title} …`);
  const folder = mkdtempSync(join(tmpdir(), `orchestrate-bench-${row.name}-`));
  const measurements = await row.run(folder);
  rmSync(folder, { recursive: true });
  return { row, measurements };
}

const results: RowResult[] = [];
for (const row of chosen) results.push(await run(row));
console.log(`\n${formatTable(results)}\n`);
if (chosen === ROWS) {
  writeFileSync(DOCUMENT, formatDocument(results, surroundings));
  console.log('Written to docs/benchmarks.md.');
}
