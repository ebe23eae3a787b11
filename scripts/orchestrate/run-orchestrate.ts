import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { projectPath } from '@orchestrate/db';
import { ownCommand } from '@orchestrate/server/own-command';

/**
 * Runs `start`, `setup`, `authenticator`, `backup`, `replace-keys` or `python-path`. Each command loads only the modules it needs.
 * @param start loads the server, which parses its own command-line options
 */
export async function runOrchestrate(start: () => Promise<unknown>): Promise<void> {
  const [command, ...options] = process.argv.slice(2);
  if (command === 'start') {
    // The server expects argv to contain only its options.
    process.argv.splice(2, 1);
    await start();
  } else if (command === 'setup' && options[0] === 'recover') {
    const { runRecovery } = await import('@orchestrate/server/recover');
    process.exitCode = runRecovery(options.slice(1), process);
  } else if (command === 'setup') await authenticator(['setup', ...options]);
  else if (command === 'authenticator') await authenticator(options);
  else if (command === 'backup') {
    const { runBackup } = await import('@orchestrate/server/backup');
    process.exitCode = await runBackup(options, process);
  } else if (command === 'replace-keys') {
    const { replaceKeys } = await import('@orchestrate/server/replace-keys');
    process.exitCode = replaceKeys(options, process);
  } else if (command === 'python-path' && options.length === 0) console.log(pythonPath());
  else if (command === '--version' || command === '-v')
    console.log((await import('@orchestrate/server/version')).VERSION);
  else if (command === undefined || command === 'help' || command === '--help' || command === '-h') console.log(USAGE);
  else {
    console.error(`Unknown command ${command}.
${USAGE}`);
    process.exitCode = 2;
  }
}

/** Returns the folder of the Python module, for `PYTHONPATH`: in the package, otherwise in the workspace. */
function pythonPath(): string {
  const packed = projectPath('python/orchestrate.py');
  return dirname(existsSync(packed) ? packed : projectPath('scripts/pack/files/python/orchestrate.py'));
}

const USAGE = `Usage: ${ownCommand('start')} [--json]
       ${ownCommand('setup')} --help
       ${ownCommand('setup')} recover --help
       ${ownCommand('authenticator')} --help
       ${ownCommand('backup')} --help
       ${ownCommand('replace-keys')} --help
       ${ownCommand('python-path')}
--version prints the version.`;

async function authenticator(given: string[]): Promise<void> {
  const { runAuthenticator } = await import('../authenticator/run-authenticator.ts');
  process.exitCode = await runAuthenticator(given, process);
}
