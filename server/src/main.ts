import { DatabaseUnusable, openDatabase, seedDatabase } from '@orchestrate/db';
import closeWithGrace from 'close-with-grace';
import { ConfigInvalid, configOfProcess, isStartedByNpm, misspeltOfProcess } from './config.ts';
import type { Deps } from './deps.ts';
import { endWith, findStarters } from './end-with-npm.ts';
import { setupState, shownSetupCode } from './features/setup/set-up.ts';
import { requireLabDecision, withLabToken } from './lab/lab-token-file.ts';
import { startOf } from './lab/world/seed-choice.ts';
import { WorldFileInvalid, withWorldFile } from './lab/world/world-file.ts';
import { createLog } from './platform/adapters/log.ts';
import { machineNow } from './platform/adapters/machine-time.ts';
import { PortUnusable } from './platform/port-unusable.ts';
import { keyOriginOf } from './platform/world-seed.ts';
import { requireFreePorts } from './require-free-ports.ts';
import { runPortal } from './run-portal.ts';
import { readStartOptions, START_USAGE } from './start-options.ts';
import { startSpace } from './start-space.ts';
import { startTable } from './start-table.ts';

/** After this, a request or channel that does not end is abandoned. */
const GRACE_MS = 4_500;
/** The exit code where `SEED` names a world with mistakes: nothing else ends with it. */
const WORLD_FILE_INVALID = 2;

try {
  const { isForProgram, isHelp } = readStartOptions(process.argv.slice(2));
  if (isHelp) console.log(START_USAGE);
  else await main(isForProgram);
} catch (reason) {
  const isExpected =
    reason instanceof ConfigInvalid || reason instanceof DatabaseUnusable || reason instanceof PortUnusable;
  console.error(isExpected ? reason.message : reason);
  process.exit(reason instanceof WorldFileInvalid ? WORLD_FILE_INVALID : 1);
}

/** @param isForProgram print one JSON line instead of the table, once the portal answers. */
async function main(isForProgram: boolean): Promise<void> {
  const starters = findStarters(isStartedByNpm());
  const read = await withWorldFile(configOfProcess());
  requireLabDecision(read);
  await requireFreePorts(read);
  const database = openDatabase({
    file: read.databaseFile,
    keys: { current: read.secretsKey, previous: read.secretsKeyPrevious },
    keysFrom: keyOriginOf(read),
  });
  const config = withLabToken(read);
  const start = startOf(config.seed);
  const frozenAt = start === undefined ? undefined : Date.parse(start);
  const isSeeded = seedDatabase(database.db, config.seed, frozenAt ?? machineNow());
  const log = await createLog(config);
  for (const sentence of misspeltOfProcess()) log.warn(sentence);
  const { deps, close } = await runPortal({ config, database, log, frozenAt, startSpace });

  const ending = closeWithGrace({ delay: GRACE_MS, logger: false }, async ({ err }) => {
    stopLooking();
    if (err) deps.log.fatal(err, 'the server ends because of a defect');
    await close();
  });
  const stopLooking = endWith(await starters, () => void ending.close());
  console.log(isForProgram ? JSON.stringify(readiness(deps)) : startTable(deps, read, isSeeded));
}

/** What `--json` promises to programs. */
function readiness(deps: Deps): object {
  const { publicUrl, authorityFile: ca } = deps;
  const setupCode = setupState(deps).isOpen ? shownSetupCode(deps) : undefined;
  const health = `${publicUrl}/health`;
  return { url: publicUrl, health, pid: process.pid, ...(ca && { ca }), ...(setupCode && { setupCode }) };
}
