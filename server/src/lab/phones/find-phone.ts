import { memberRepo, organisationRepo, virtualDeviceRepo } from '@orchestrate/db';
import type { Deps } from '#deps.ts';
import { nearest, nearestBySegments } from '#platform/nearest.ts';
import { Refusal } from '#platform/refusal.ts';

/** Simulated device whose private key the lab stores. */
export type Phone = virtualDeviceRepo.VirtualDeviceRow;

/** Field of the request that names a person, device or organisation, e.g. `match.email`. */
type Field = string;

/**
 * Finds a simulated device by zid, or by its owner's email address, where mobile devices take precedence.
 * @throws Refusal ORG_EMAIL_NOT_FOUND with the closest address if there is no such person or device, or the lab
 * doesn't have its key
 */
export function requirePhone({ db }: Deps, field: Field, as: string, orgCode?: string): Phone {
  const phones = as.includes('@')
    ? virtualDeviceRepo.listVirtualDevices(db, { orgCode, email: as })
    : virtualDeviceRepo.listVirtualDevices(db, { orgCode, zid: as });
  const phone = phones.find(({ device }) => device.type === 'mobile') ?? phones[0];
  if (phone) return phone;
  const known = virtualDeviceRepo.listVirtualDevices(db, { orgCode });
  const names = as.includes('@')
    ? known.map(({ member }) => member.primaryEmail)
    : known.map(({ device }) => device.zid);
  // The address of an existing member isn't a typo, even if they don't have a phone.
  const meant = hasMemberWith(db, as, orgCode) ? undefined : nearestBySegments(as, names, '@');
  throw unknown(field, `${as}${orgCode ? ` in ${orgCode}` : ''} doesn't have a simulated device.`, meant);
}

/**
 * Verifies that an organisation exists.
 * @throws Refusal ORG_CODE_NOT_FOUND with the closest known code
 */
export function requireOrgCode({ db }: Deps, field: Field, orgCode: string): void {
  if (organisationRepo.findOrganisation(db, orgCode)) return;
  const meant = nearest(orgCode, organisationRepo.listOrgCodes(db));
  const message = `There is no organisation ${orgCode}.${meant ? ` Did you mean ${meant}?` : ''}`;
  throw new Refusal('ORG_CODE_NOT_FOUND', { message, issues: [{ path: field, message }] });
}

/**
 * Verifies that a member has this email address.
 * @throws Refusal ORG_EMAIL_NOT_FOUND with the closest address if no member, or none in this organisation, has the
 * email address
 */
export function requireMemberWithEmail({ db }: Deps, field: Field, email: string, orgCode?: string): void {
  if (hasMemberWith(db, email, orgCode)) return;
  const where = orgCode ? ` in ${orgCode}` : '';
  throw unknown(
    field,
    `There is no member with the email address ${email}${where}.`,
    nearestBySegments(email, memberRepo.listEmails(db, orgCode), '@'),
  );
}

/**
 * Returns a device that was reported lost, in the organisation if specified.
 * @throws Refusal ORG_EMAIL_NOT_FOUND
 */
export function requireLostPhone({ db }: Deps, orgCode: string | undefined): Phone {
  const [lost] = virtualDeviceRepo.listVirtualDevices(db, { orgCode, status: 'lost' });
  if (lost) return lost;
  const where = orgCode === undefined ? '' : ` of ${orgCode}`;
  const sentence = `No simulated device${where} has been reported lost. Add a device with status lost to a person in the world.`;
  throw unknown('lie', sentence, undefined);
}

const hasMemberWith = (db: Deps['db'], email: string, orgCode: string | undefined): boolean =>
  memberRepo.listMembersByEmail(db, email).some((member) => orgCode === undefined || member.orgCode === orgCode);

function unknown(field: Field, sentence: string, meant: string | undefined): Refusal {
  const message = `${sentence}${meant ? ` Did you mean ${meant}?` : ''}`;
  return new Refusal('ORG_EMAIL_NOT_FOUND', { message, issues: [{ path: field, message }] });
}
