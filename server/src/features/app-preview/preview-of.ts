import { applicationRepo, memberRepo } from '@orchestrate/db';
import type { AppClaim, AppPreview } from '@orchestrate/shared';
import { mayUseApplication } from '../../core/sign-in/app-users.ts';
import type { Deps } from '../../deps.ts';
import { Refusal } from '../../platform/refusal.ts';
import { oidcPreview } from '../../protocols/oidc/oidc-preview.ts';
import { samlPreview } from '../../protocols/saml/saml-preview.ts';

export interface Previewed {
  orgCode: string;
  appId: string;
  suid: string;
  /** Claims that are not saved yet, of an OIDC application. */
  claims?: readonly AppClaim[] | undefined;
}

/**
 * What an application would be told of a member, and whether the member may use it.
 * @throws Refusal ORG_APP_MISSING; ID_DOESNOT_EXIST nobody has this name; USER_INACTIVE, USER_NOT_REGISTERED_FOR_ORG
 * the member may not sign in; UNSUPPORTED_ACTION for applications that speak neither protocol
 */
export async function previewOf(
  deps: Deps,
  { orgCode, appId, suid, claims }: Previewed,
): Promise<{ preview: AppPreview; mayUse: boolean }> {
  const { db } = deps;
  const application = applicationRepo.findApplication(db, orgCode, appId);
  if (!application) throw new Refusal('ORG_APP_MISSING');
  const { integrationType } = application;
  if (integrationType !== 'oidc' && (integrationType !== 'saml' || claims)) throw new Refusal('UNSUPPORTED_ACTION');
  const member = memberRepo.findMember(db, orgCode, suid);
  if (!member || member.accountStatus === 'deleted') throw new Refusal('ID_DOESNOT_EXIST');
  if (member.accountStatus === 'inactive') throw new Refusal('USER_INACTIVE');
  if (member.accountStatus !== 'active') throw new Refusal('USER_NOT_REGISTERED_FOR_ORG');
  const preview =
    integrationType === 'oidc' ? oidcPreview(deps, appId, member, claims) : await samlPreview(deps, appId, member);
  return { preview, mayUse: mayUseApplication(db, application, member) };
}
