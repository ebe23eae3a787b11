import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { DatabaseUnusable, openDatabase } from '@orchestrate/db';
import { email, orgCode } from '@orchestrate/shared';
import pino from 'pino';
import { z } from 'zod';
import { ConfigInvalid, readConfig } from '#config.ts';
import { createDeps } from '#deps.ts';
import { recoverAdministrator } from '#features/setup/recover-administrator.ts';
import { Refusal } from '#platform/refusal.ts';
import { ownCommand } from '#platform/version.ts';

const USAGE = `Prints an activation code for a Super Admin who has lost every device. Stop the portal first.

Usage: ${ownCommand('setup')} recover --org CODE --email ADDRESS

  --org CODE          organisation code
  --email ADDRESS     email address of the Super Admin

Options
  --json              print one JSON object, for programs
  --help              print this help

The code works once, for 24 hours, on the portal that uses DATABASE_FILE. The audit trail records it.
Exit codes: 0 success, 1 refused, 2 incorrect usage.
`;

const options = {
  org: { type: 'string' },
  email: { type: 'string' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;
const wanted = z.object({ org: orgCode, email });

/** The command's environment and standard streams. */
interface Surface {
  env: NodeJS.ProcessEnv;
  stdout: { write(text: string): unknown };
  stderr: { write(text: string): unknown };
}

/** Runs `orchestrate setup recover` on the machine that has the database. @returns the exit code */
export function runRecovery(args: string[], { env, stdout, stderr }: Surface): 0 | 1 | 2 {
  const complain = (message: string, code: 1 | 2) => {
    stderr.write(`${message}\n`);
    return code;
  };
  try {
    const { values } = parseArgs({ args, options });
    if (values.help) {
      stdout.write(USAGE);
      return 0;
    }
    const input = wanted.safeParse(values);
    if (!input.success) return complain(`--org and --email are required.\n${USAGE}`, 2);
    const config = readConfig(env);
    const { databaseFile: file, secretsKey: current, secretsKeyPrevious: previous } = config;
    if (!existsSync(file)) return complain(`Database ${file} doesn't exist. Check DATABASE_FILE.`, 1);
    const database = openDatabase({ file, keys: { current, previous } });
    try {
      const deps = createDeps({ config, db: database.db, log: pino({ level: 'silent' }) });
      const { org, email: address } = input.data;
      const recovery = recoverAdministrator(deps, { orgCode: org, email: address });
      const { activationCode, activationExpiry, type } = recovery;
      const device = type === 'mobile' ? 'phone' : 'computer';
      const text = `Activation code: ${activationCode}
Start the portal, then use the code to activate a ${device} as ${address} in ${org}. It expires at ${activationExpiry}.`;
      stdout.write(`${values.json ? JSON.stringify({ event: 'recovered', ...recovery }) : text}\n`);
    } finally {
      database.close();
    }
    return 0;
  } catch (reason) {
    if (reason instanceof Refusal || reason instanceof DatabaseUnusable || reason instanceof ConfigInvalid) {
      return complain(reason.message, 1);
    }
    if (reason instanceof TypeError) return complain(`${reason.message}\n${USAGE}`, 2);
    throw reason;
  }
}
