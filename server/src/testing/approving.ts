import {
  beginApproval,
  getProfile,
  type PortalOidc,
  saveOidcConfiguration,
  type ToBeApproved,
} from '@orchestrate/shared';
import type { DeviceState } from '@orchestrate/shared/authenticator';
import type { TestPortal } from './test-portal.ts';

/** Answers pending requests on a person's phone with the number shown in the browser. */
export async function approveOnPhone(
  { authenticator }: TestPortal,
  phone: DeviceState,
  { approvalId, number, decision = 'approve' }: { approvalId: string; number: string; decision?: 'approve' | 'deny' },
): Promise<void> {
  await authenticator.respond(phone, { challengeId: approvalId, decision, number });
}

/** Requests an approval as the signed-in user, approves it on the user's phone and returns its ID. */
export async function approvalFor(
  portal: TestPortal,
  { token, ...wanted }: ToBeApproved & { token: string },
): Promise<string> {
  const { email } = (await portal.call(getProfile, {}, { token })).body.profile;
  const { approvalId, matchNumber } = (await portal.call(beginApproval, { body: wanted }, { token })).body;
  await approveOnPhone(portal, portal.device(email), { approvalId, number: matchNumber });
  return approvalId;
}

/** Saves the external provider as an administrator would, in the portal and with an approval on the phone. */
export async function saveProvider(portal: TestPortal, content: PortalOidc, token: string) {
  const approvalId = await approvalFor(portal, { action: 'save-oidc-configuration', content, token });
  return portal.call(saveOidcConfiguration, { body: { ...content, approvalId } }, { token });
}

/** Signs in as a seeded administrator and saves the external provider. */
export async function setUpProvider(portal: TestPortal, content: PortalOidc, email = 'super.admin@acme.test') {
  const { token } = await portal.signIn(email);
  return (await saveProvider(portal, content, token)).body;
}
