import { virtualDeviceRepo } from '@orchestrate/db';
import type { Config } from './config.ts';
import type { Deps } from './deps.ts';

/** The sign-in accounts of the demo (design contract §6). */
const DEMO_ACCOUNTS: ReadonlySet<string> = new Set([
  'super.admin@acme.test',
  'helpdesk.admin@acme.test',
  'security.admin@acme.test',
  'callcenter.admin@acme.test',
  'manager@acme.test',
  'user@acme.test',
  'admin@globex.test',
]);

/** What a person who has just started the portal wants to know. No secrets. */
export function startTable({ config, db, publicUrl }: Deps): string {
  const accounts = new Map(
    virtualDeviceRepo
      .listVirtualDevices(db)
      .filter(({ member }) => DEMO_ACCOUNTS.has(member.primaryEmail))
      .map(({ member, roleName, orgName }) => [member.primaryEmail, { orgCode: member.orgCode, orgName, roleName }]),
  );
  const organisations = new Map([...accounts.values()].map(({ orgCode, orgName }) => [orgCode, orgName]));
  return table([
    [],
    ['Portal', publicUrl],
    ...[...organisations].map(([orgCode, name]) => [`Sign in to ${name}`, `${publicUrl}/${orgCode}/sign-in`]),
    ['Authenticator', `${publicUrl}/authenticator`],
    ['API reference', `${publicUrl}/docs`],
    [],
    ...[...accounts].map(([email, { roleName }]) => [roleName, email]),
    ...(accounts.size > 0
      ? [['', 'Each has a simulated phone: choose it in the authenticator, and approve there.'], []]
      : []),
    ...settings(config),
    [],
  ]);
}

function settings({ databaseFile, lab, labToken, seed, smtpUrl, drMode }: Config): string[][] {
  return [
    ['Database', databaseFile],
    ['Lab', lab ? `on, for this machine${labToken ? ' and for whoever has LAB_TOKEN' : ''}` : 'off'],
    ...(seed === 'none' ? [['Seed', 'none']] : []),
    ...(smtpUrl ? [['Mail', URL.parse(smtpUrl)?.host ?? 'on']] : []),
    ...(drMode ? [['Recovery mode', 'uploads are refused']] : []),
  ];
}

/** Two columns, the first as wide as its widest. */
function table(rows: string[][]): string {
  const width = Math.max(...rows.map(([name = '']) => name.length));
  return rows.map(([name = '', value = '']) => `  ${name.padEnd(width)}  ${value}`.trimEnd()).join('\n');
}
