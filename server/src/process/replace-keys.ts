import { existsSync } from 'node:fs';
import {
  DatabaseUnusable,
  oidcKeyRepo,
  openDatabase,
  type PredictableKeys,
  replacePredictableKeys,
  samlKeyRepo,
} from '@orchestrate/db';
import { createDeviceKey } from '@orchestrate/shared/authenticator';
import { ConfigInvalid, readProcessConfig } from '#config.ts';
import { machineNow } from '#platform/adapters/clock.ts';
import { createRandom } from '#platform/adapters/random.ts';
import { ownCommand } from '#platform/version.ts';
import { findPredictableCredentials, type PredictableCredentials } from './predictable-keys.ts';

const USAGE = `Usage: ${ownCommand('replace-keys')}

Replaces keys, secrets and codes that anyone can compute because a local portal derived them from public names.
Stop the portal first, and run this command with the portal's own settings: DATABASE_FILE, SECRETS_KEY.

If anything is replaced, all sessions and sign-ins end. Keys created by administrators or members, and secrets in a
world file, are not changed.
`;

/** The command's output streams. */
type Output = Pick<NodeJS.Process, 'stdout' | 'stderr'>;

/**
 * Runs `orchestrate replace-keys` and returns the exit code: 0 for success, 1 if the database can't be used, 2 for
 * incorrect usage.
 */
export function replaceKeys(args: readonly string[], { stdout, stderr }: Output): number {
  if (args.length > 0) {
    const isHelp = args.length === 1 && ['--help', '-h'].includes(args[0] ?? '');
    if (isHelp) stdout.write(USAGE);
    else stderr.write(`replace-keys does not accept ${args[0]}.\n${USAGE}`);
    return isHelp ? 0 : 2;
  }
  try {
    stdout.write(replaceAll());
    return 0;
  } catch (reason) {
    if (!(reason instanceof ConfigInvalid || reason instanceof DatabaseUnusable)) throw reason;
    stderr.write(`${reason.message}\n`);
    return 1;
  }
}

/** Replaces all predictable keys and returns a report. @throws ConfigInvalid, DatabaseUnusable */
function replaceAll(): string {
  const { databaseFile: file, secretsKey: current, secretsKeyPrevious: previous } = readProcessConfig();
  if (!existsSync(file))
    throw new ConfigInvalid(`Database ${file} doesn't exist. Set DATABASE_FILE to the portal's database.`);
  const { db, close } = openDatabase({ file, keys: { current, previous } });
  try {
    const found = findPredictableCredentials(db);
    if (!found) return `Nothing to replace: no one else can compute the keys in ${file}.\n`;
    const random = createRandom();
    db.transaction((tx) => {
      for (const { orgCode, kids } of found.oidcKeys) oidcKeyRepo.deleteOidcKeys(tx, orgCode, kids);
      for (const { orgCode, kid } of found.samlKeys) samlKeyRepo.deleteSamlKey(tx, orgCode, kid);
      replacePredictableKeys(tx, found, { secret: random.secret, deviceKey: createDeviceKey }, machineNow());
    });
    return summaryOf(file, found);
  } finally {
    close();
  }
}

const SECRETS: Readonly<Record<PredictableKeys['secrets'][number]['column'], string>> = {
  'client_secrets.secret': 'client secrets',
  'network_clients.secret': 'RADIUS and LDAP secrets',
  'portal_oidc.clientSecret': 'secrets at other providers',
  'scim_credentials.password': 'SCIM passwords',
  'provisioning_targets.secret': 'secrets at SCIM services',
  'webhooks.secret': 'webhook secrets',
  'webhooks.oldSecret': 'previous webhook secrets',
};

function summaryOf(
  file: string,
  { devices, secrets, codes, invitations, oidcKeys, samlKeys }: PredictableCredentials,
): string {
  const counts: [name: string, count: number, then: string][] = [
    ['simulated phones', devices.length, 'new keys. The lab gives out the new ones.'],
    ...Object.entries(SECRETS).map(([column, name]): [string, number, string] => [
      name,
      secrets.filter((secret) => secret.column === column).length,
      'new values; copy them to the other side.',
    ]),
    ['activation codes', codes.length, 'deleted; issue new ones.'],
    ['invitations', invitations.length, 'deleted; invite these people again.'],
    ['OpenID Connect keys', oidcKeys.flatMap(({ kids }) => kids).length, 'deleted; the portal creates new ones.'],
    ['SAML certificates', samlKeys.length, 'deleted; give service providers the new metadata.'],
  ];
  const lines = counts.filter(([, count]) => count > 0).map(([name, count, then]) => `  ${count} ${name}: ${then}`);
  return `${[`Replaced in ${file}:`, ...lines].join('\n')}\nAll sessions, remembered browsers and pending sign-ins have ended, in the portal and in applications.\nWithout the lab, no one can use the simulated phones. The next start prints how the first administrator signs in.\nIf the portal was reachable before, check the audit trail for sign-ins that you can't explain.\n`;
}
