import { organisationRepo, virtualDeviceRepo } from '@orchestrate/db';
import { AUTO_LAB_TOKEN, type Config } from '#config.ts';
import type { Deps } from '#deps.ts';
import { formatSetupCode, orgCodesToSetUp, setupState } from '#features/setup/routes.ts';
import { hasSimulatedPhones, isLabClosed, isLocalPortal } from '#platform/http/callers/local-portal.ts';
import { ownCommand } from '#platform/version.ts';

/** The demo's sign-in accounts (contract §16). */
const DEMO_ACCOUNTS: ReadonlySet<string> = new Set([
  'super.admin@acme.test',
  'helpdesk.admin@acme.test',
  'security.admin@acme.test',
  'callcenter.admin@acme.test',
  'manager@acme.test',
  'user@acme.test',
  'admin@globex.test',
]);

/**
 * Returns the table printed at startup. It contains at most two secrets: a generated lab token, in URL fragments,
 * which browsers don't send and servers don't log; and the setup code, while there is no administrator.
 * @param given the configuration as read, before defaults such as a generated lab token
 * @param isSeeded true if the seed was used, false if the database already had data
 */
export function startTable(deps: Deps, given: Config, isSeeded: boolean): string {
  const { config, db, ports, publicUrl, authorityFile } = deps;
  const accounts = new Map(
    virtualDeviceRepo
      .listVirtualDevices(db)
      .filter(({ member }) => DEMO_ACCOUNTS.has(member.primaryEmail))
      .map(({ member, roleName, orgName }) => [member.primaryEmail, { orgCode: member.orgCode, orgName, roleName }]),
  );
  const carried = given.labToken === AUTO_LAB_TOKEN && config.lab ? `#lab-token=${config.labToken}` : '';
  const organisations = new Map([...accounts.values()].map(({ orgCode, orgName }) => [orgCode, orgName]));
  return table([
    [],
    ['Portal', publicUrl],
    ...[...organisations].map(([orgCode, name]) => [`Sign in to ${name}`, `${publicUrl}/${orgCode}/sign-in`]),
    ['Authenticator', `${publicUrl}/authenticator${carried}`],
    ...(carried ? [['Lab page', `${publicUrl}/lab${carried}`]] : []),
    ['API reference', `${publicUrl}/docs`],
    [],
    ...setupRows(deps),
    ...[...accounts].map(([email, { roleName }]) => [roleName, email]),
    ...(accounts.size > 0 && config.lab && hasSimulatedPhones(config)
      ? [['', 'Each account has a simulated phone. Choose it in the authenticator and approve the sign-in there.'], []]
      : []),
    ...radiusRows(deps),
    ...(ports.ldap === null ? [] : [['LDAP', `ldap://${config.host}:${ports.ldap}`]]),
    ...(ports.ldaps === null ? [] : [['LDAPS', `ldaps://${config.host}:${ports.ldaps}`]]),
    ...(authorityFile === null
      ? []
      : [['Certificates', `by ${authorityFile}, which others must trust, e.g. with NODE_EXTRA_CA_CERTS`]]),
    ...settings(deps, given, isSeeded),
    [],
  ]);
}

/** Maximum number of organisations whose RADIUS ports are listed. */
const RADIUS_ROWS = 8;

/** Returns a row for each organisation's RADIUS port, sorted by port. */
function radiusRows({ config, db, ports: { radius } }: Deps): string[][] {
  if (radius === null) return [];
  const all = organisationRepo.listOrgCodes(db);
  const [first = 0] = config.radiusPorts ?? [];
  const row = (orgCode: string): string[] => {
    const at = radius.of(orgCode);
    const none = `no port: set RADIUS_PORT to a range, e.g. ${first}-${first + all.length - 1}`;
    return [`RADIUS for ${orgCode}`, typeof at === 'number' ? `${config.host}:${at}, UDP` : none];
  };
  const more = all.length - RADIUS_ROWS;
  return [
    ...all.slice(0, RADIUS_ROWS).map(row),
    ...(more > 0 ? [['', `and ${more} more organisations: the page of each RADIUS application shows its port`]] : []),
  ];
}

/** Returns the setup code's rows while there is no administrator. */
function setupRows(deps: Deps): string[][] {
  if (!setupState(deps).isOpen) return [];
  const waiting = orgCodesToSetUp(deps, deps.db);
  const where = waiting.length > 0 ? ` No one administers ${waiting.join(', ')}.` : '';
  return [
    ['First administrator', `${deps.publicUrl}/setup`],
    ['Setup code', formatSetupCode(deps)],
    ['', `Works once. To use it on the command line: ${ownCommand('setup')} --help${where}`],
    [],
  ];
}

function settings(deps: Deps, given: Config, isSeeded: boolean): string[][] {
  const { config } = deps;
  const { databaseFile, smtpUrl, drMode, trustedProxies } = config;
  return [
    ['Database', databaseFile],
    ...seedRows(deps, isSeeded),
    ['Lab', labText(config, given)],
    ...(trustedProxies.length > 0 ? [['Trusted proxies', trustedProxies.join(', ')]] : []),
    ...(smtpUrl ? [['Email server', URL.parse(smtpUrl)?.host ?? 'on']] : []),
    ...(drMode ? [['Recovery mode', 'uploads are refused']] : []),
  ];
}

function seedRows({ config, publicUrl }: Deps, isSeeded: boolean): string[][] {
  const { seed, seedFile, isSeedGiven, databaseFile, lab } = config;
  if (isSeeded) return seed === 'none' ? [['Seed', 'none']] : [];
  if (!isSeedGiven) return [];
  const name = seedFile ?? (seed === 'none' ? 'none' : 'demo');
  const how = lab ? `reset the portal at ${publicUrl}/lab/worlds` : `delete ${databaseFile}`;
  return [['Seed', `${name} was not loaded because the database already has data. To start over with it, ${how}`]];
}

/** Describes in one line who can use the lab. */
function labText(config: Config, given: Config): string {
  const { lab, labToken } = config;
  if (!lab) return 'off';
  if (isLabClosed(config)) return 'closed: this portal is reachable from elsewhere and LAB_TOKEN is not set';
  const withToken = given.labToken === AUTO_LAB_TOKEN ? 'with the token in the addresses above' : 'with LAB_TOKEN';
  if (isLocalPortal(config)) return `on, for this machine${labToken ? `, and elsewhere ${withToken}` : ''}`;
  return `on, ${withToken}`;
}

/** Formats rows in two columns. */
function table(rows: string[][]): string {
  const width = Math.max(...rows.map(([name = '']) => name.length));
  return rows.map(([name = '', value = '']) => `  ${name.padEnd(width)}  ${value}`.trimEnd()).join('\n');
}
