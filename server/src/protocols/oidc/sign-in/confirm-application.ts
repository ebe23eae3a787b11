import { browserRepo, memberRepo, oidcApplicationRepo } from '@orchestrate/db';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Interaction, Provider } from 'oidc-provider';
import { identifyBrowser } from '#core/sign-in/browser-id.ts';
import type { Deps } from '#deps.ts';
import { oidcPath } from '#platform/own-addresses.ts';
import { confirmPage } from '../http/pages.ts';
import { CONFIRM } from './sign-in-policy.ts';

/** Returns the path of the page that asks whether to continue to an application. */
export const confirmPath = (orgCode: string): string => `${oidcPath(orgCode)}/confirm`;

interface OfBrowser {
  orgCode: string;
  request: Pick<FastifyRequest, 'raw'>;
  reply: FastifyReply;
}

/**
 * Returns the page that asks whether to continue to an application which this browser hasn't used before, or undefined
 * if no request of this browser waits for that.
 */
export async function askToConfirm(
  { db }: Pick<Deps, 'db'>,
  provider: Provider,
  of: OfBrowser,
): Promise<string | undefined> {
  const interaction = await findInteraction(provider, of, CONFIRM);
  if (!interaction) return undefined;
  const { orgCode } = of;
  const { uid, params, session } = interaction;
  const application = oidcApplicationRepo.findOidcApplication(db, orgCode, String(params.client_id));
  const member = memberRepo.findMember(db, orgCode, session?.accountId ?? '');
  if (!application || !member) return undefined;
  return confirmPage({ action: confirmPath(orgCode), uid, application: application.name, email: member.primaryEmail });
}

/** Accepts the answer to that question. Returns the path at which the browser continues, or undefined as above. */
export async function acceptConfirmation(
  deps: Deps,
  provider: Provider,
  { form, ...of }: OfBrowser & { form: URLSearchParams | undefined },
): Promise<string | undefined> {
  const interaction = await findInteraction(provider, of, CONFIRM);
  // A page on another port of this host shares the cookie, but doesn't know the id.
  if (!interaction || form?.get('uid') !== interaction.uid) return undefined;
  if (form.has('cancel')) {
    interaction.result = { error: 'access_denied', error_description: 'the user chose not to continue' };
  } else {
    const { browser, cookie } = identifyBrowser(deps, of.request.raw.headers.cookie);
    of.reply.header('set-cookie', cookie);
    const [appId, suid] = [String(interaction.params.client_id), interaction.session?.accountId ?? ''];
    browserRepo.recordUse(deps.db, { orgCode: of.orgCode, appId, suid, browser }, deps.clock.now());
    interaction.result = { [CONFIRM]: {} };
  }
  await interaction.persist();
  // Without the origin, so that the browser stays at the host under which it reached the portal.
  return new URL(interaction.returnTo).pathname;
}

/** Returns the request of this browser that waits for the answer to `prompt`. */
export async function findInteraction(
  provider: Provider,
  { request, reply }: Omit<OfBrowser, 'orgCode'>,
  prompt: string,
): Promise<Interaction | undefined> {
  const { errors } = await import('oidc-provider');
  const interaction = await provider.interactionDetails(request.raw, reply.raw).catch((reason) => {
    if (reason instanceof errors.SessionNotFound) return undefined;
    throw reason;
  });
  return interaction?.prompt.name === prompt ? interaction : undefined;
}
