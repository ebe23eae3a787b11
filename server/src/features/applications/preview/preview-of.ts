import { memberRepo, organisationRepo, roleRepo, type serviceProviderRepo } from '@orchestrate/db';
import type { AppClaim, AppPreview, SamlClaimFields } from '@orchestrate/shared';
import { mayUseApplication, requireApplication } from '#core/applications.ts';
import { samlColumns } from '#core/saml-metadata/saml-columns.ts';
import { samlFieldIssues } from '#core/saml-metadata/saml-field-issues.ts';
import type { Deps } from '#deps.ts';
import { Refusal } from '#platform/refusal.ts';
import { previewOidcClaims } from '#protocols/oidc/tokens/oidc-preview.ts';
import { contextOf } from '#protocols/saml/authn-context.ts';
import { requireSamlApplication } from '#protocols/saml/find-saml-application.ts';
import { samlSubjectOf } from '#protocols/saml/saml-subject.ts';
import { planUnsolicitedSignIn } from '#protocols/saml/sign-in-request.ts';
import { writeAssertionResponse } from '#protocols/saml/write-response.ts';

/** Placeholders for IDs that are unique to each response. */
const IDS = { response: '_response', assertion: '_assertion', session: '_session', transient: '_transient' };

/**
 * Returns the unsigned response for a member, as if they signed in now on a device, starting at the portal.
 * @param unsaved settings that replace the saved settings. @throws SamlProblem if the SAML application is unknown
 */
async function samlPreview(
  deps: Deps,
  appId: string,
  member: memberRepo.MemberRow,
  unsaved: serviceProviderRepo.ServiceProviderChange = {},
): Promise<AppPreview> {
  const saved = await requireSamlApplication(deps, member.orgCode, appId);
  const found = { ...saved, provider: { ...saved.provider, ...unsaved } };
  const { organisation, provider, peer, addresses } = found;
  const { destination, nameIdFormat, contextClass } = planUnsolicitedSignIn(found).request;
  const role = roleRepo.findRole(deps.db, member.orgCode, member.roleCode);
  const subject = samlSubjectOf({ deps, member, role, organisation, provider }, nameIdFormat, IDS.transient);
  const now = deps.clock.toExternalTime();
  const xml = writeAssertionResponse({
    id: IDS.response,
    assertionId: IDS.assertion,
    sessionIndex: IDS.session,
    now,
    authenticatedAt: now,
    destination,
    recipient: destination,
    subject,
    inResponseTo: '',
    issuer: addresses.entityId,
    audience: peer.entityId,
    contextClass: contextOf(contextClass, 'QID', organisation.stepUpAuthEnabled),
  });
  const attributes = subject.attributes.flatMap(({ values, ...named }) => values.map((value) => ({ ...named, value })));
  return { protocol: 'saml', ...subject, attributes, xml };
}

export interface PreviewRequest {
  orgCode: string;
  appId: string;
  suid: string;
  /** Unsaved settings for the application's protocol, OIDC or SAML. */
  draft?: { claims?: readonly AppClaim[] | undefined; saml?: SamlClaimFields | undefined };
}

/**
 * Returns the claims or attributes that an application would receive about a member, and whether the member is
 * allowed to use it.
 * @throws Refusal ORG_APP_MISSING; ID_DOESNOT_EXIST if the member is unknown; USER_INACTIVE,
 * USER_NOT_REGISTERED_FOR_ORG if they can't sign in; UNSUPPORTED_ACTION if the application uses neither OIDC nor
 * SAML, or the draft is for the other protocol; INVALID_REQUEST for errors in the draft
 */
export async function previewOf(
  deps: Deps,
  { orgCode, appId, suid, draft: { claims, saml } = {} }: PreviewRequest,
): Promise<{ preview: AppPreview; mayUse: boolean }> {
  const { db } = deps;
  const application = requireApplication(db, orgCode, appId);
  const { integrationType } = application;
  if (integrationType !== 'oidc' && integrationType !== 'saml') throw new Refusal('UNSUPPORTED_ACTION');
  if (integrationType === 'oidc' ? saml : claims) throw new Refusal('UNSUPPORTED_ACTION');
  const member = memberRepo.findMember(db, orgCode, suid);
  if (!member || member.accountStatus === 'deleted') throw new Refusal('ID_DOESNOT_EXIST');
  if (member.accountStatus === 'inactive') throw new Refusal('USER_INACTIVE');
  if (member.accountStatus !== 'active') throw new Refusal('USER_NOT_REGISTERED_FOR_ORG');
  const preview =
    integrationType === 'oidc'
      ? previewOidcClaims(deps, appId, member, claims)
      : await samlPreview(deps, appId, member, saml && columnsOf(deps, orgCode, saml));
  return { preview, mayUse: mayUseApplication(db, application, member) };
}

/** Converts draft SAML settings to columns. @throws Refusal INVALID_REQUEST with all errors */
function columnsOf({ db }: Deps, orgCode: string, saml: SamlClaimFields): serviceProviderRepo.ServiceProviderChange {
  const { primaryAttrField } = organisationRepo.requireOrganisation(db, orgCode);
  const fields = {
    nameId: saml.samlNameId,
    nameIdTransformationTemplate: saml.samlNameIdTransformationTemplate,
    attributes: saml.samlAttributes,
    attributesConfig: saml.samlAttributesConfig,
  };
  const issues = samlFieldIssues(fields, primaryAttrField);
  if (issues.length === 0) return samlColumns(saml);
  throw new Refusal('INVALID_REQUEST', {
    issues: issues.map(({ path, message }) => ({ path: `saml.${path}`, message })),
  });
}
