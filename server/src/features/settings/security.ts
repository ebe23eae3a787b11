import { organisationRepo } from '@orchestrate/db';
import type { SecuritySettings } from '@orchestrate/shared';
import { factsOf } from '#core/audit/facts-of.ts';
import { record } from '#core/audit/record.ts';
import type { Deps } from '#deps.ts';
import type { AuditActor } from '#platform/http/callers/actors.ts';
import { isAllowedIp } from '#platform/http/callers/allowed-ip.ts';
import type { Version } from '#platform/http/versions.ts';
import { formatIp, normaliseIpRange } from '#platform/ip-range.ts';
import { TOPIC } from '#platform/live/bus.ts';
import { Refusal } from '#platform/refusal.ts';

/** Returns the allowed IP addresses and the sign-up requirements. */
export function securitySettingsOf(row: organisationRepo.OrganisationRow): SecuritySettings {
  return {
    allowedIps: row.allowedIps,
    activationLinkDelayHours: row.activationLinkDelayHours,
    deviceLimit: row.deviceLimit,
    allowedEmailDomains: row.allowedEmailDomains,
    discloseUnknownUsers: row.discloseUnknownUsers,
  };
}

/** Security settings to save. The current disclosure setting is kept if absent. */
export type SecurityEdit = Omit<SecuritySettings, 'discloseUnknownUsers'> & {
  discloseUnknownUsers?: boolean | undefined;
};

/**
 * Saves the security settings.
 * @param ip the user's IP address
 * @throws StaleVersion; Refusal INVALID_REQUEST if an entry isn't an IP address or range; IP_NOT_VALID if the user
 * would be locked out
 */
export function saveSecurity(
  deps: Deps,
  actor: AuditActor,
  settings: SecurityEdit,
  version: Version,
): SecuritySettings {
  const { orgCode, ip } = actor;
  const allowedIps = normalRanges(settings.allowedIps);
  requireOwnAddress(ip, allowedIps);
  const allowedEmailDomains = [...new Set(settings.allowedEmailDomains)];
  const now = deps.db.transaction((tx) => {
    const before = securitySettingsOf(organisationRepo.requireOrganisation(tx, orgCode));
    version.require(tx, { orgCode, editable: before });
    const edit = { ...settings, allowedIps, allowedEmailDomains };
    const saved = securitySettingsOf(organisationRepo.editOrganisation(tx, orgCode, edit));
    const object = { type: 'security', id: orgCode, name: 'Security' } as const;
    record(deps, tx, actor, {
      action: 'security.updated',
      object,
      before: factsOf(before),
      after: factsOf(saved),
    });
    version.answer(saved);
    return saved;
  });
  // Closes live channels from IP addresses that are no longer allowed.
  deps.bus.changed(TOPIC.addresses(orgCode));
  return now;
}

function normalRanges(ranges: readonly string[]): string[] {
  const normal = ranges.map(normaliseIpRange);
  const issues = normal.flatMap((range, index) =>
    range === undefined
      ? [{ path: `allowedIps.${index}`, message: 'Enter an IP address or a range such as 203.0.113.0/24' }]
      : [],
  );
  if (issues.length > 0) throw new Refusal('INVALID_REQUEST', { issues });
  return [...new Set(normal.filter((range) => range !== undefined))];
}

function requireOwnAddress(ip: string, ranges: readonly string[]): void {
  if (isAllowedIp(ip, ranges)) return;
  const message = `These addresses would lock you out. Your address is ${formatIp(ip)}.`;
  throw new Refusal('IP_NOT_VALID', { message, issues: [{ path: 'allowedIps', message }] });
}
