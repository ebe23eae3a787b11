import { memberRepo, oidcApplicationRepo } from '@orchestrate/db';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Provider } from 'oidc-provider';
import type { Deps } from '#deps.ts';
import type { Page } from '#platform/http/answers/plain-page.ts';
import { oidcPath } from '#platform/own-addresses.ts';
import { noAccessOnDevicePage } from '../device-flow/device-pages.ts';
import { noAccessPage } from '../http/pages.ts';
import { findInteraction } from './confirm-application.ts';
import { NO_ACCESS_PROMPT, NO_ACCESS_TEXT } from './sign-in-policy.ts';

/** Returns the path of the page for users who can't use an application. */
export const noAccessPath = (orgCode: string): string => `${oidcPath(orgCode)}/no-access`;

/**
 * Returns the page for a signed-in user who can't use the application (decision 177). From this page, the browser
 * returns to the application with `access_denied`. Returns undefined if this browser has no request in that state.
 */
export async function refuseAccess(
  { db }: Pick<Deps, 'db'>,
  provider: Provider,
  orgCode: string,
  request: Pick<FastifyRequest, 'raw'>,
  reply: FastifyReply,
): Promise<Page | undefined> {
  const interaction = await findInteraction(provider, { request, reply }, NO_ACCESS_PROMPT);
  if (!interaction) return undefined;
  interaction.result = { error: 'access_denied', error_description: NO_ACCESS_TEXT };
  await interaction.persist();
  const { params, session, returnTo, deviceCode } = interaction;
  const { client_id: appId } = params;
  const application = oidcApplicationRepo.findOidcApplication(db, orgCode, String(appId));
  const member = memberRepo.findMember(db, orgCode, session?.accountId ?? '');
  const account = { application: application?.name ?? 'this application', email: member?.primaryEmail ?? '' };
  if (deviceCode !== undefined) {
    await denyDevice(provider, deviceCode);
    return noAccessOnDevicePage({ ...account, signOut: `${oidcPath(orgCode)}/session/end` });
  }
  return noAccessPage({
    ...account,
    // Drop the origin to keep the browser on the host that it used to reach the portal.
    back: new URL(returnTo).pathname,
    again: { action: `${oidcPath(orgCode)}/auth`, params: asAnotherUser(params) },
  });
}

/** Denies the device code immediately, because no browser returns to the device. */
async function denyDevice({ DeviceCode }: Provider, deviceCode: string): Promise<void> {
  const code = await DeviceCode.find(deviceCode);
  if (!code || code.accountId !== undefined) return;
  await Object.assign(code, { error: 'access_denied', errorDescription: NO_ACCESS_TEXT }).save();
}

/** Returns the parameters of the same request for signing in as another user. */
function asAnotherUser(params: Record<string, unknown>): [name: string, value: string][] {
  return Object.entries({ ...params, prompt: 'login' }).flatMap(([name, value]): [string, string][] => {
    const values: unknown[] = Array.isArray(value) ? value : [value];
    return values.flatMap((one): [string, string][] => (typeof one === 'string' ? [[name, one]] : []));
  });
}
