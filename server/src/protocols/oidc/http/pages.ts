import type { KoaContextWithOIDC } from 'oidc-provider';
import { createPage, escapeHtml, noAccessHtml, type Page, SUBMIT_SCRIPT } from '#platform/http/answers/plain-page.ts';

/**
 * This policy doesn't restrict form targets, because browsers would also apply the restriction to the redirect back
 * to the application.
 */
export { PAGE_POLICY } from '#platform/http/answers/plain-page.ts';

interface Problem {
  error: string;
  error_description?: string;
}

/** Renders a page that explains why the user can't be sent back to the application. */
export function errorPage({ error, error_description: description }: Problem): Page {
  const detail = description === undefined ? error : `${error}: ${description}`;
  return createPage((t) => ({
    title: t("We can't continue this sign-in"),
    body: `<p>${t("Go back to the application and try again. If that doesn't help, show this message to its administrators.")}</p>
<p><code>${escapeHtml(detail)}</code></p>`,
  }));
}

/** Maximum length of a URL shown on a page. */
const URL_MAX_LENGTH = 500;

/** Renders an error page. If the redirect URI isn't registered for the application, the page shows the URI. */
export function requestErrorPage({ oidc }: Pick<KoaContextWithOIDC, 'oidc'>, problem: Problem): Page {
  const { error, error_description: description = '' } = problem;
  const parameter = description.startsWith('post_logout_redirect_uri') ? 'post_logout_redirect_uri' : 'redirect_uri';
  const address = oidc?.params?.[parameter];
  const isUnknown = error === 'invalid_redirect_uri' || parameter === 'post_logout_redirect_uri';
  if (!isUnknown || typeof address !== 'string') return errorPage(problem);
  const shown = address.length > URL_MAX_LENGTH ? `${address.slice(0, URL_MAX_LENGTH)}…` : address;
  return createPage((t) => {
    const advice =
      parameter === 'redirect_uri'
        ? t(
            'If you manage the application, add exactly this URL to its callback URLs, or correct the URL in the application.',
          )
        : t(
            'If you manage the application, add exactly this URL to its logout URLs, or correct the URL in the application.',
          );
    return {
      title: t("This redirect URI isn't registered for the application"),
      body: `<p>${t('The application asked to return to:')}</p>
<p><code>${escapeHtml(shown)}</code></p>
<p>${advice} ${t("Every character counts, including a slash at the end. If you don't manage it, show this page to its administrators.")}</p>
<p><code>${escapeHtml(`${error}: ${description}`)}</code></p>`,
    };
  });
}

interface Confirmation {
  /** Form target. */
  action: string;
  /** Request ID, which ties the form to this browser. */
  uid: string;
  application: string;
  /** Email address of the signed-in user. */
  email: string;
}

/** Renders a page that asks whether to continue to an application that this browser hasn't used before. */
export const confirmPage = ({ action, uid, application, email }: Confirmation): Page =>
  createPage((t) => ({
    title: t(`Continue to ${application}?`),
    body: `<p>${t(`You're signed in as ${escapeHtml(email)}, and you haven't used ${escapeHtml(application)} in this browser before. Continue only if you want to use it now.`)}</p>
<form method="post" action="${escapeHtml(action)}">
<input type="hidden" name="uid" value="${escapeHtml(uid)}">
<button type="submit" autofocus>${t('Continue')}</button>
<button type="submit" name="cancel" value="yes" class="plain">${t('Cancel')}</button>
</form>`,
  }));

interface NoAccess {
  application: string;
  /** Email address of the signed-in user. */
  email: string;
  /** Path that returns to the application with the error. */
  back: string;
  /** Form that repeats the request so another user can sign in. */
  again: { action: string; params: readonly [name: string, value: string][] };
}

/** Renders a page for a user who can't use the application. */
export function noAccessPage({ application, email, back, again }: NoAccess): Page {
  const inputs = again.params.map(
    ([name, value]) => `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`,
  );
  return createPage((t) => ({
    title: t(`You can't use ${application}`),
    body: `${noAccessHtml(t, application, email)}
<form id="back" action="${escapeHtml(back)}"></form>
<button type="submit" form="back">${t('Back to the application')}</button>
<form id="again" action="${escapeHtml(again.action)}">${inputs.join('')}</form>
<button type="submit" form="again" class="plain">${t('Sign in as another user')}</button>`,
  }));
}

/**
 * Returns true if the ID token hint was issued for this session, or for this session's user if the token contains no
 * session ID.
 */
function isProven({ entities, session, client }: KoaContextWithOIDC['oidc']): boolean {
  const { sub, sid } = entities.IdTokenHint?.payload ?? {};
  if (sub === undefined || sub !== session?.accountId) return false;
  return sid === undefined || sid === session.sidFor(client?.clientId ?? '');
}

/**
 * Renders a page that asks whether to sign out. Skips the question if the application proved with an ID token on
 * whose behalf it asks (OpenID Connect RP-Initiated Logout 1.0 §2).
 * @param form the library's form, with its secret
 */
export function signOutPage({ oidc }: KoaContextWithOIDC, form: string): Page {
  if (isProven(oidc)) {
    return createPage((t) => ({
      title: t('Signing out'),
      body: `${form.replace('</form>', `<input type="hidden" name="logout" value="yes"><button type="submit">${t('Continue')}</button></form>`)}
<script>${SUBMIT_SCRIPT}</script>`,
    }));
  }
  const application = oidc.client?.clientName;
  return createPage((t) => {
    const question = application
      ? t(`${escapeHtml(application)} wants to sign you out of all applications in this browser.`)
      : t("You're about to sign out of all applications in this browser.");
    return {
      title: t('Sign out?'),
      body: `<p>${question}</p>
${form}
<button type="submit" form="op.logoutForm" name="logout" value="yes" autofocus>${t('Sign out')}</button>
<button type="submit" form="op.logoutForm" class="plain">${t('Stay signed in')}</button>`,
    };
  });
}

export const signedOutPage: Page = createPage((t) => ({
  title: t('Signed out'),
  body: `<p>${t("You're signed out of the applications in this browser. You can close this page.")}</p>`,
}));
