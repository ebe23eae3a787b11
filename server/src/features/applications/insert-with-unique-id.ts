import { applicationRepo, organisationRepo, type Tx } from '@orchestrate/db';
import { MINUTE, SECOND } from '@orchestrate/shared';
import { appIdFor, isReservedAppId } from '#core/app-id.ts';
import type { Deps } from '#deps.ts';
import { Refusal } from '#platform/refusal.ts';

/** Returns the organisation's login options as the defaults of a new application. */
export function loginDefaults(tx: Tx, orgCode: string) {
  const organisation = organisationRepo.requireOrganisation(tx, orgCode);
  const { maxCookieLife, didEnabled, webAuthnEnabled, desktopAppEnabled, forceAuthnEnabled } = organisation;
  return {
    // Organisations store minutes, applications seconds (spec 2 §5).
    maxCookieLife: (maxCookieLife * MINUTE) / SECOND,
    didEnabled,
    webAuthnEnabled,
    desktopAppEnabled,
    forceAuthnEnabled,
  };
}

/**
 * Creates an application under a unique ID. Missing login options default to the organisation's.
 * @param proposedId text to derive the ID from, instead of the name
 * @param appId the exact ID, if known
 * @returns the ID. @throws Refusal ORG_APP_ALREADY_EXISTS; INVALID_REQUEST if the known ID is invalid
 */
export function insertWithUniqueId(
  { clock }: Deps,
  tx: Tx,
  app: Omit<applicationRepo.NewApplication, 'appId' | 'createdAt'>,
  { proposedId = app.name, appId: known }: { proposedId?: string | undefined; appId?: string | undefined } = {},
): string {
  const { orgCode } = app;
  // LDAP ignores case in IDs, so check for reserved IDs in lower case.
  if (
    known !== undefined &&
    (isReservedAppId(known.toLowerCase()) || applicationRepo.isAppIdInUse(tx, orgCode, known))
  ) {
    throw new Refusal('INVALID_REQUEST', { issues: [{ path: 'appId', message: 'This ID is reserved' }] });
  }
  const appId = known ?? appIdFor(proposedId, applicationRepo.listAppIds(tx, orgCode));
  const row = { ...loginDefaults(tx, orgCode), ...app, appId, createdAt: clock.now() };
  if (!applicationRepo.insertApplication(tx, row)) throw new Refusal('ORG_APP_ALREADY_EXISTS');
  return appId;
}
