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
 * Requires a recent approval of exactly this change on one of the acting member's devices, and uses it up. Call
 * inside the transaction that writes the change, because a failed write must not use up the approval.
 * @throws Refusal AUTHENTICATION_INCOMPLETE if there is no such approval
 */
function requireApproval(
  deps: Pick<Deps, 'clock'>,
  tx: Tx,
  { orgCode, suid }: Pick<Caller, 'orgCode' | 'suid'>,
  { approvalId, ...wanted }: ToBeApproved & { approvalId: string | undefined },
): void {
  const isApproved = approvalId !== undefined && claimApproval(deps, tx, { orgCode, suid, ...wanted }, approvalId);
  if (isApproved) return;
  throw new Refusal('AUTHENTICATION_INCOMPLETE', { message: 'Approve this change on your own device first.' });
}

type SavedPortalOidc = FieldsOf<typeof contract.getOidcConfiguration>;

/** Returns the settings of the external OpenID provider, which are empty if it was never set up. */
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

/** Returns a provider's editable fields. */
export function editableProviderFields(shown: SavedPortalOidc): PortalOidc {
  const { configurationUrl, clientId, clientSecret, buttonLabel, enabled } = shown;
  return { configurationUrl, clientId, clientSecret, buttonLabel, enabled };
}

/**
 * Saves the provider's settings, which can also disable it.
 * @throws StaleVersion; Refusal AUTHENTICATION_INCOMPLETE without a fresh approval of exactly this change;
 * INVALID_REQUEST if the address can never be used, or if the provider is enabled without a secret
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
    version.require(tx, { orgCode, editable: editableProviderFields(before), present: () => before });
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
    version.answer(editableProviderFields(saved));
    return saved;
  });
}

/** Returns a settings change for the audit trail, which records that the secret changed, but not its value. */
function changeOf(before: SavedPortalOidc, after: SavedPortalOidc) {
  const isNewSecret = before.clientSecret !== after.clientSecret;
  const factsOf = (shown: SavedPortalOidc) => ({ ...editableProviderFields(shown), clientSecret: undefined });
  return { before: factsOf(before), after: { ...factsOf(after), ...(isNewSecret && { clientSecret: AUDIT_CHANGED }) } };
}
