import { applicationRepo, organisationRepo, type Tx } from '@orchestrate/db';
import { MINUTE, SECOND } from '@orchestrate/shared';
import type { Deps } from '#deps.ts';
import { Refusal } from '#platform/refusal.ts';
import { appIdFor, isReserved } from './app-id.ts';

/** Returns the organisation's login options as the defaults of a new application. */
export function loginDefaults(tx: Tx, orgCode: string) {
  const organisation = organisationRepo.requireOrganisation(tx, orgCode);
  const { maxCookieLife, didEnabled, webAuthnEnabled, desktopAppEnabled, forceAuthnEnabled } = organisation;
  return {
    // Organisations use minutes, applications seconds (spec 2 §5).
    maxCookieLife: (maxCookieLife * MINUTE) / SECOND,
    didEnabled,
    webAuthnEnabled,
    desktopAppEnabled,
    forceAuthnEnabled,
  };
}

/**
 * Writes a new application under a unique id; missing login options default to the organisation's.
 * @param proposedId text to derive the id from, instead of the name
 * @param appId the exact id, if known
 * @returns the id. @throws Refusal ORG_APP_ALREADY_EXISTS; INVALID_REQUEST if the known id is invalid
 */
export function insertWithUniqueId(
  { clock }: Deps,
  tx: Tx,
  app: Omit<applicationRepo.NewApplication, 'appId' | 'createdAt'>,
  { proposedId = app.name, appId: known }: { proposedId?: string | undefined; appId?: string | undefined } = {},
): string {
  const { orgCode } = app;
  // LDAP ignores case.
  if (known !== undefined && (isReserved(known.toLowerCase()) || applicationRepo.isIdInUse(tx, orgCode, known))) {
    throw new Refusal('INVALID_REQUEST', { issues: [{ path: 'appId', message: 'This ID is reserved' }] });
  }
  const appId = known ?? appIdFor(proposedId, applicationRepo.listAppIds(tx, orgCode));
  const row = { ...loginDefaults(tx, orgCode), ...app, appId, createdAt: clock.now() };
  if (!applicationRepo.insertApplication(tx, row)) throw new Refusal('ORG_APP_ALREADY_EXISTS');
  return appId;
}
