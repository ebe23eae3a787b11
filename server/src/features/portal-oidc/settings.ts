import { organisationRepo, portalOidcRepo, type Tx } from '@orchestrate/db';
import { AUDIT_CHANGED, type contract, type FieldsOf, type PortalOidc, type ToBeApproved } from '@orchestrate/shared';
import { record } from '#core/audit/record.ts';
import { claimApproval } from '#core/sign-in/challenges/begin-approval.ts';
import { providerPolicy } from '#core/sign-in/external-provider.ts';
import type { Deps } from '#deps.ts';
import { requireOutsideAddress } from '#platform/adapters/fetch-outside.ts';
import type { AuditActor } from '#platform/http/callers/actors.ts';
import type { Caller } from '#platform/http/callers/caller.ts';
import type { Version } from '#platform/http/versions.ts';
import { callbackAddress, fullAddress, storedAddress } from '#platform/own-addresses.ts';
import { Refusal } from '#platform/refusal.ts';

/**
 * Requires a recent approval of exactly this write on a device of the caller, which is used up. Call it inside the
 * transaction of the write, so that a failed write doesn't use it up.
 * @throws Refusal AUTHENTICATION_INCOMPLETE without such an approval
 */
function requireApproval(
  deps: Pick<Deps, 'clock'>,
  tx: Tx,
  { orgCode, suid }: Pick<Caller, 'orgCode' | 'suid'>,
  { approvalId, ...wanted }: ToBeApproved & { approvalId: string | undefined },
): void {
  const isApproved = approvalId !== undefined && claimApproval(deps, tx, { orgCode, suid, ...wanted }, approvalId);
  if (isApproved) return;
  throw new Refusal('AUTHENTICATION_INCOMPLETE', { message: 'Approve this on your own device first.' });
}

type SavedPortalOidc = FieldsOf<typeof contract.getOidcConfiguration>;

/** Returns the settings of the external OpenID provider; empty if never set up. */
export function portalOidcOf({ db, publicUrl }: { db: Tx; publicUrl: string }, orgCode: string): SavedPortalOidc {
  const organisation = organisationRepo.findOrganisation(db, orgCode);
  const { configurationUrl = '', clientId = '', clientSecret = '' } = portalOidcRepo.findPortalOidc(db, orgCode) ?? {};
  return {
    configurationUrl: fullAddress(publicUrl, configurationUrl),
    clientId,
    clientSecret,
    buttonLabel: organisation?.oidcButtonLabel ?? '',
    enabled: organisation?.portalOidcEnabled ?? false,
    callbackUrl: callbackAddress({ publicUrl }),
  };
}

/** Returns the editable fields of a provider. */
export function editableProvider(shown: SavedPortalOidc): PortalOidc {
  const { configurationUrl, clientId, clientSecret, buttonLabel, enabled } = shown;
  return { configurationUrl, clientId, clientSecret, buttonLabel, enabled };
}

/**
 * Sets the provider up, or switches it off.
 * @throws StaleVersion; Refusal AUTHENTICATION_INCOMPLETE without a fresh approval of exactly this; INVALID_REQUEST
 * for an address that could never be read, or a missing secret when switched on
 */
export function savePortalOidc(
  deps: Deps,
  { caller, actor, approvalId }: { caller: Caller; actor: AuditActor; approvalId: string | undefined },
  content: PortalOidc,
  version: Version,
): SavedPortalOidc {
  const { orgCode, suid } = caller;
  const { buttonLabel, enabled, ...provider } = content;
  if (enabled && provider.clientSecret === '') {
    throw new Refusal('INVALID_REQUEST', { issues: [{ path: 'clientSecret', message: 'This field is required' }] });
  }
  return deps.db.transaction((tx) => {
    const before = portalOidcOf({ ...deps, db: tx }, orgCode);
    version.require(tx, { orgCode, editable: editableProvider(before), present: () => before });
    if (provider.configurationUrl !== before.configurationUrl) {
      requireOutsideAddress(providerPolicy(deps), provider.configurationUrl, 'configurationUrl');
    }
    requireApproval(deps, tx, caller, { action: 'save-oidc-configuration', content, approvalId });
    const configurationUrl = storedAddress(deps.publicUrl, provider.configurationUrl);
    portalOidcRepo.savePortalOidc(tx, { orgCode, ...provider, configurationUrl, configuredBy: suid });
    organisationRepo.editOrganisation(tx, orgCode, { portalOidcEnabled: enabled, oidcButtonLabel: buttonLabel });
    const saved = portalOidcOf({ ...deps, db: tx }, orgCode);
    record(deps, tx, actor, {
      action: 'portal-oidc.updated',
      object: { type: 'portal-oidc', id: orgCode, name: saved.buttonLabel },
      ...changeOf(before, saved),
    });
    version.answer(editableProvider(saved));
    return saved;
  });
}

/** The secret is reported only as changed. */
function changeOf(before: SavedPortalOidc, after: SavedPortalOidc) {
  const isNewSecret = before.clientSecret !== after.clientSecret;
  const factsOf = (shown: SavedPortalOidc) => ({ ...editableProvider(shown), clientSecret: undefined });
  return { before: factsOf(before), after: { ...factsOf(after), ...(isNewSecret && { clientSecret: AUDIT_CHANGED }) } };
}
