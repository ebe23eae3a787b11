import { DatabaseUnusable, openDatabase, seedDatabase } from '@orchestrate/db';
import closeWithGrace from 'close-with-grace';
import { buildApp } from './app.ts';
import { ConfigInvalid, configOfProcess } from './config.ts';
import { createDeps, type Deps } from './deps.ts';
import { setupState, shownSetupCode } from './features/setup/set-up.ts';
import { requireLabDecision, withLabToken } from './lab/lab-token-file.ts';
import { startOf } from './lab/world/seed-choice.ts';
import { WorldFileInvalid, withWorldFile } from './lab/world/world-file.ts';
import { listen, PortUnusable } from './listen.ts';
import { makeTls, trustAuthority } from './platform/adapters/local-authority.ts';
import { createLog } from './platform/adapters/log.ts';
import { startSpace } from './start-space.ts';
import { startTable } from './start-table.ts';

/** After this, a request or channel that does not end is abandoned. */
const GRACE_MS = 4_500;
/** The exit code where `SEED` names a world with mistakes: nothing else ends with it. */
const WORLD_FILE_INVALID = 2;

try {
  await main(process.argv.includes('--json'));
} catch (reason) {
  const isExpected =
    reason instanceof ConfigInvalid || reason instanceof DatabaseUnusable || reason instanceof PortUnusable;
  console.error(isExpected ? reason.message : reason);
  process.exit(reason instanceof WorldFileInvalid ? WORLD_FILE_INVALID : 1);
}

/** @param isForProgram print one JSON line instead of the table, once the portal answers. */
async function main(isForProgram: boolean): Promise<void> {
  const read = await withWorldFile(configOfProcess());
  requireLabDecision(read);
  const database = openDatabase({
    file: read.databaseFile,
    keys: { current: read.secretsKey, previous: read.secretsKeyPrevious },
  });
  const config = withLabToken(read);
  const tls = await makeTls(config);
  if (tls) trustAuthority(tls);
  const start = startOf(config.seed);
  const frozenAt = start === undefined ? undefined : Date.parse(start);
  const deps = await createDeps({ config, db: database.db, log: await createLog(config), tls, frozenAt });
  seedDatabase(deps.db, config.seed, deps.clock.now());
  const app = await buildApp(deps, startSpace);
  deps.publicUrl = await listen(app, config);

  closeWithGrace({ delay: GRACE_MS, logger: false }, async ({ err }) => {
    if (err) deps.log.fatal(err, 'the server ends because of a defect');
    await app.close();
    database.close();
  });
  console.log(isForProgram ? JSON.stringify(readiness(deps)) : startTable(deps, read));
}

/** What `--json` promises to programs. */
function readiness(deps: Deps): object {
  const { publicUrl, tls } = deps;
  const setupCode = setupState(deps).isOpen ? shownSetupCode(deps) : undefined;
  return { url: publicUrl, pid: process.pid, ...(tls && { ca: tls.caFile }), ...(setupCode && { setupCode }) };
}
