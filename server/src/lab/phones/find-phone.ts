import { memberRepo, organisationRepo, virtualDeviceRepo } from '@orchestrate/db';
import type { Deps } from '#deps.ts';
import { nearest, nearestByParts } from '#platform/nearest.ts';
import { Refusal } from '#platform/refusal.ts';

/** A device whose private key the lab has. */
export type Phone = virtualDeviceRepo.VirtualDeviceRow;

/**
 * Returns the simulated device with a zid, or the first one of the person with an email address, mobile first.
 * @throws Refusal ORG_EMAIL_NOT_FOUND naming the nearest address if there is no such person or device, or the lab has
 * no key of it
 */
export function requirePhone({ db }: Deps, as: string, orgCode?: string): Phone {
  const phones = as.includes('@')
    ? virtualDeviceRepo.listVirtualDevices(db, { orgCode, email: as })
    : virtualDeviceRepo.listVirtualDevices(db, { orgCode, zid: as });
  const phone = phones.find(({ device }) => device.type === 'mobile') ?? phones[0];
  if (phone) return phone;
  const known = virtualDeviceRepo.listVirtualDevices(db, { orgCode });
  const names = as.includes('@')
    ? known.map(({ member }) => member.primaryEmail)
    : known.map(({ device }) => device.zid);
  // Someone without a phone isn't a misspelt address.
  const meant = hasMemberWith(db, as, orgCode) ? undefined : nearestByParts(as, names, '@');
  throw unknown(`There is no simulated device of ${as}${orgCode ? ` in ${orgCode}` : ''}.`, meant);
}

/** @throws Refusal ORG_CODE_NOT_FOUND naming the nearest one */
export function requireOrgCode({ db }: Deps, orgCode: string): void {
  if (organisationRepo.findOrganisation(db, orgCode)) return;
  const meant = nearest(orgCode, organisationRepo.listOrgCodes(db));
  const message = `There is no organisation ${orgCode}.${meant ? ` Did you mean ${meant}?` : ''}`;
  throw new Refusal('ORG_CODE_NOT_FOUND', { message });
}

/** @throws Refusal ORG_EMAIL_NOT_FOUND naming the nearest address if no person, or none there, has this one */
export function requireMemberWith({ db }: Deps, email: string, orgCode?: string): void {
  if (hasMemberWith(db, email, orgCode)) return;
  const where = orgCode ? ` in ${orgCode}` : '';
  throw unknown(
    `There is no member with the address ${email}${where}.`,
    nearestByParts(email, memberRepo.listEmails(db, orgCode), '@'),
  );
}

/** Returns a device that was reported lost, of one organisation or of any. @throws Refusal ORG_EMAIL_NOT_FOUND */
export function requireLostPhone({ db }: Deps, orgCode: string | undefined): Phone {
  const [lost] = virtualDeviceRepo.listVirtualDevices(db, { orgCode, status: 'lost' });
  if (lost) return lost;
  const where = orgCode === undefined ? '' : ` of ${orgCode}`;
  const sentence = `No simulated device${where} has been reported lost. Add one with the status lost to a person in the world.`;
  throw unknown(sentence, undefined);
}

const hasMemberWith = (db: Deps['db'], email: string, orgCode: string | undefined): boolean =>
  memberRepo.listMembersByEmail(db, email).some((member) => orgCode === undefined || member.orgCode === orgCode);

const unknown = (sentence: string, meant: string | undefined) =>
  new Refusal('ORG_EMAIL_NOT_FOUND', { message: `${sentence}${meant ? ` Did you mean ${meant}?` : ''}` });
