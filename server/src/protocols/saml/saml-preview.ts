import { type memberRepo, roleRepo, type serviceProviderRepo } from '@orchestrate/db';
import type { AppPreview } from '@orchestrate/shared';
import type { Deps } from '../../deps.ts';
import { contextOf } from './authn-context.ts';
import { requireSamlApplication } from './find-saml-application.ts';
import { samlSubjectOf } from './saml-subject.ts';
import { planUnsolicited } from './sign-in-request.ts';
import { writeAssertionResponse } from './write-response.ts';

/** Placeholders for the ids that are unique to each response. */
const IDS = { response: '_response', assertion: '_assertion', session: '_session', transient: '_transient' };

/**
 * What a service provider would be told of a member who signs in now, on a device, from the portal; unsigned.
 * @param unsaved settings in place of the saved ones. @throws SamlProblem there is none of this name
 */
export async function samlPreview(
  deps: Deps,
  appId: string,
  member: memberRepo.MemberRow,
  unsaved: serviceProviderRepo.ServiceProviderChange = {},
): Promise<AppPreview> {
  const saved = await requireSamlApplication(deps, member.orgCode, appId);
  const found = { ...saved, provider: { ...saved.provider, ...unsaved } };
  const { organisation, provider, peer, addresses } = found;
  const { destination, nameIdFormat, contextClass } = planUnsolicited(found).request;
  const role = roleRepo.findRole(deps.db, member.orgCode, member.roleCode);
  const subject = samlSubjectOf({ deps, member, role, organisation, provider }, nameIdFormat, IDS.transient);
  const now = deps.clock.told();
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
