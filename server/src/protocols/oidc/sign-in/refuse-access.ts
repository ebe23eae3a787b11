import { memberRepo, oidcApplicationRepo } from '@orchestrate/db';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Provider } from 'oidc-provider';
import type { Deps } from '#deps.ts';
import { oidcPath } from '#platform/own-addresses.ts';
import { noAccessOnDevicePage } from '../device-flow/device-pages.ts';
import { noAccessPage } from '../http/pages.ts';
import { findInteraction } from './confirm-application.ts';
import { NO_ACCESS, NO_ACCESS_TEXT } from './sign-in-policy.ts';

/** Where somebody is told that they may not use an application. */
export const noAccessPath = (orgCode: string): string => `${oidcPath(orgCode)}/no-access`;

/**
 * The page for somebody who has signed in and may not use the application (decision 177); from there the browser goes
 * back with `access_denied`.
 * @returns undefined where no such request has come from this browser
 */
export async function refuseAccess(
  { db }: Pick<Deps, 'db'>,
  provider: Provider,
  orgCode: string,
  request: Pick<FastifyRequest, 'raw'>,
  reply: FastifyReply,
): Promise<string | undefined> {
  const interaction = await findInteraction(provider, { request, reply }, NO_ACCESS);
  if (!interaction) return undefined;
  interaction.result = { error: 'access_denied', error_description: NO_ACCESS_TEXT };
  await interaction.persist();
  const { params, session, returnTo, deviceCode } = interaction;
  const { client_id: appId } = params;
  const application = oidcApplicationRepo.findOidcApplication(db, orgCode, String(appId));
  const member = memberRepo.findMember(db, orgCode, session?.accountId ?? '');
  const who = { application: application?.name ?? 'this application', email: member?.primaryEmail ?? '' };
  if (deviceCode !== undefined) {
    await denyDevice(provider, deviceCode);
    return noAccessOnDevicePage({ ...who, signOut: `${oidcPath(orgCode)}/session/end` });
  }
  return noAccessPage({
    ...who,
    // Without the origin: the browser stays at whichever name it reached the portal by.
    back: new URL(returnTo).pathname,
    again: { action: `${oidcPath(orgCode)}/auth`, params: asSomebodyElse(params) },
  });
}

/** A device learns it at once: nobody goes back to it. */
async function denyDevice({ DeviceCode }: Provider, deviceCode: string): Promise<void> {
  const code = await DeviceCode.find(deviceCode);
  if (!code || code.accountId !== undefined) return;
  await Object.assign(code, { error: 'access_denied', errorDescription: NO_ACCESS_TEXT }).save();
}

/** The same request, for somebody else. */
function asSomebodyElse(params: Record<string, unknown>): [name: string, value: string][] {
  return Object.entries({ ...params, prompt: 'login' }).flatMap(([name, value]): [string, string][] => {
    const values: unknown[] = Array.isArray(value) ? value : [value];
    return values.flatMap((one): [string, string][] => (typeof one === 'string' ? [[name, one]] : []));
  });
}
