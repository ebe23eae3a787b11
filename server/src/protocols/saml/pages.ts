import type { FastifyReply } from 'fastify';
import type { Deps } from '#deps.ts';
import {
  createPage,
  escapeHtml,
  PAGE_POLICY,
  SUBMIT_SCRIPT,
  type Translate,
} from '#platform/http/answers/plain-page.ts';
import { sendPage } from '#platform/http/answers/send-json.ts';
import type { SamlProblem } from './saml-problem.ts';

export interface PostedForm {
  action: string;
  fields: Readonly<Record<string, string>>;
  /**
   * The service provider's redirect targets. Browsers apply a page's form policy to redirects too, so the policy must
   * list the targets.
   */
  next: readonly string[];
  /** Explanation to show before the form is sent. Without it, the form is sent immediately. */
  explained?: Explained | undefined;
}

/** Writes an explanatory page, with an HTML body. */
export type Explained = (t: Translate) => { title: string; body: string };

/** Returns the form fields of an HTTP-POST message. @param relayState '' for none */
export const postedFields = (name: 'SAMLRequest' | 'SAMLResponse', xml: string, relayState: string) => ({
  [name]: Buffer.from(xml).toString('base64'),
  ...(relayState !== '' && { RelayState: relayState }),
});

/** Sends a form that submits itself to a service provider (SAML 2.0 bindings §3.5). */
export function sendPostedForm(
  deps: Deps,
  reply: FastifyReply,
  { action, fields, next, explained }: PostedForm,
): FastifyReply {
  const inputs = Object.entries(fields).map(
    ([name, value]) => `<input type="hidden" name="${name}" value="${escapeHtml(value)}">`,
  );
  const form = (rest: string) => `<form method="post" action="${escapeHtml(action)}">${inputs.join('')}${rest}</form>`;
  // Custom app schemes have no origin and don't need to be listed: the policy only applies to pages in the browser.
  const origins = next.filter((address) => /^https?:/i.test(address)).map((address) => new URL(address).origin);
  const targets = new Set([sourceOf(action), ...origins]);
  return sendPage(deps, reply, {
    page: createPage((t) => {
      if (!explained) {
        const button = `<noscript><button type="submit">${t('Continue')}</button></noscript>`;
        return { title: t('Back to the application'), body: `${form(button)}\n<script>${SUBMIT_SCRIPT}</script>` };
      }
      const { title, body } = explained(t);
      return { title, body: body + form(`<button type="submit">${t('Back to the application')}</button>`) };
    }),
    policy: `${PAGE_POLICY};form-action ${[...targets].join(' ')}`,
  });
}

/** Returns a URL as a policy source: without its query, and with the two policy delimiters removed (CSP 3 §2.3.1). */
function sourceOf(address: string): string {
  const { origin, pathname } = new URL(address);
  return origin + pathname.replaceAll(';', '%3B').replaceAll(',', '%2C');
}

const NO_FORMS = `${PAGE_POLICY};form-action 'none'`;

/** Sends a page that explains to the user what went wrong. */
export function sendProblem(deps: Deps, reply: FastifyReply, { message, httpStatus }: SamlProblem): FastifyReply {
  const page = createPage((t) => ({
    title: t("We can't continue this sign-in"),
    body: `<p>${escapeHtml(t(message))}</p>`,
  }));
  return sendPage(deps, reply.code(httpStatus), { page, policy: NO_FORMS });
}

/** Sends the page shown after logout if the service provider has no response endpoint. */
export function sendSignedOut(deps: Deps, reply: FastifyReply): FastifyReply {
  const page = createPage((t) => ({
    title: t('Signed out'),
    body: `<p>${t("You're signed out. You can close this page.")}</p>`,
  }));
  return sendPage(deps, reply, { page, policy: NO_FORMS });
}

/** Sends a page that explains why a user can't continue to the application. */
export const sendExplanation = (deps: Deps, reply: FastifyReply, explained: Explained): FastifyReply =>
  sendPage(deps, reply.code(403), { page: createPage(explained), policy: NO_FORMS });
