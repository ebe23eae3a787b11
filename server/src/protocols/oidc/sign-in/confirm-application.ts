import { browserRepo, memberRepo, oidcApplicationRepo } from '@orchestrate/db';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Interaction, Provider } from 'oidc-provider';
import { identifyBrowser } from '#core/sign-in/browser-id.ts';
import type { Deps } from '#deps.ts';
import type { Page } from '#platform/http/answers/plain-page.ts';
import { oidcPath } from '#platform/own-addresses.ts';
import { confirmPage } from '../http/pages.ts';
import { CONFIRM_PROMPT } from './sign-in-policy.ts';

/** Returns the path of the page that asks whether to continue to an application. */
export const confirmPath = (orgCode: string): string => `${oidcPath(orgCode)}/confirm`;

interface OfBrowser {
  orgCode: string;
  request: Pick<FastifyRequest, 'raw'>;
  reply: FastifyReply;
}

/**
 * Returns the page that asks whether to continue to an application not yet used in this browser. Returns undefined if
 * this browser has no request waiting for an answer.
 */
export async function askToConfirm(
  { db }: Pick<Deps, 'db'>,
  provider: Provider,
  of: OfBrowser,
): Promise<Page | undefined> {
  const interaction = await findInteraction(provider, of, CONFIRM_PROMPT);
  if (!interaction) return undefined;
  const { orgCode } = of;
  const { uid, params, session } = interaction;
  const application = oidcApplicationRepo.findOidcApplication(db, orgCode, String(params.client_id));
  const member = memberRepo.findMember(db, orgCode, session?.accountId ?? '');
  if (!application || !member) return undefined;
  return confirmPage({ action: confirmPath(orgCode), uid, application: application.name, email: member.primaryEmail });
}

/**
 * Accepts the user's answer to the confirmation page. Returns the path where the browser continues, or undefined if
 * this browser has no request waiting for an answer.
 */
export async function acceptConfirmation(
  deps: Deps,
  provider: Provider,
  { form, ...of }: OfBrowser & { form: URLSearchParams | undefined },
): Promise<string | undefined> {
  const interaction = await findInteraction(provider, of, CONFIRM_PROMPT);
  // A page on another port of this host shares the cookie, so also require the ID, which that page doesn't know.
  if (!interaction || form?.get('uid') !== interaction.uid) return undefined;
  if (form.has('cancel')) {
    interaction.result = { error: 'access_denied', error_description: 'the user chose not to continue' };
  } else {
    const { browser, cookie } = identifyBrowser(deps, of.request.raw.headers.cookie);
    of.reply.header('set-cookie', cookie);
    const [appId, suid] = [String(interaction.params.client_id), interaction.session?.accountId ?? ''];
    browserRepo.recordAppUse(deps.db, { orgCode: of.orgCode, appId, suid, browser }, deps.clock.now());
    interaction.result = { [CONFIRM_PROMPT]: {} };
  }
  await interaction.persist();
  // Drop the origin to keep the browser on the host that it used to reach the portal.
  return new URL(interaction.returnTo).pathname;
}

/** Returns the browser's request that is waiting for an answer to `prompt`. */
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
