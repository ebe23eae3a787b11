import { organisationRepo } from '@orchestrate/db';
import type { SecuritySettings } from '@orchestrate/shared';
import type { Deps } from '../../deps.ts';
import { isAllowedIp } from '../../http/allowed-ip.ts';
import { Refusal } from '../../http/refusal.ts';
import type { Version } from '../../http/versions.ts';
import { TOPIC } from '../../live/bus.ts';
import { normalIpRange, shownIp } from './ip-range.ts';
import { ownOrganisation } from './own-organisation.ts';

/** From where people may sign in, and what joining asks for. */
export function securityOf(row: organisationRepo.OrganisationRow): SecuritySettings {
  return {
    allowedIps: row.allowedIps,
    activationLinkDelayHours: row.activationLinkDelayHours,
    deviceLimit: row.deviceLimit,
    allowedEmailDomains: row.allowedEmailDomains,
  };
}

/**
 * Sets the same.
 * @param ip of the caller
 * @throws StaleVersion; Refusal INVALID_REQUEST for what is no address and no range; IP_NOT_VALID where the caller would be kept out
 */
export function saveSecurity(
  { db, bus }: Deps,
  orgCode: string,
  ip: string,
  settings: SecuritySettings,
  version: Version,
): SecuritySettings {
  const allowedIps = normalRanges(settings.allowedIps);
  requireWayBack(ip, allowedIps);
  const allowedEmailDomains = [...new Set(settings.allowedEmailDomains)];
  const saved = db.transaction((tx) => {
    version.require(tx, { orgCode, editable: securityOf(ownOrganisation(tx, orgCode)) });
    const edit = { ...settings, allowedIps, allowedEmailDomains };
    const security = securityOf(organisationRepo.editOrganisation(tx, orgCode, edit));
    version.answer(security);
    return security;
  });
  // Channels of people who are elsewhere close now.
  bus.changed(TOPIC.addresses(orgCode));
  return saved;
}

function normalRanges(ranges: readonly string[]): string[] {
  const normal = ranges.map(normalIpRange);
  const issues = normal.flatMap((range, index) =>
    range === undefined
      ? [{ path: `allowedIps.${index}`, message: 'Write an address or a range such as 203.0.113.0/24' }]
      : [],
  );
  if (issues.length > 0) throw new Refusal('INVALID_REQUEST', { issues });
  return [...new Set(normal.filter((range) => range !== undefined))];
}

function requireWayBack(ip: string, ranges: readonly string[]): void {
  if (isAllowedIp(ip, ranges)) return;
  const message = `These addresses would keep you out: you are at ${shownIp(ip)}.`;
  throw new Refusal('IP_NOT_VALID', { message, issues: [{ path: 'allowedIps', message }] });
}
