import type { KoaContextWithOIDC } from 'oidc-provider';
import { escapeHtml, noAccessText, page, SUBMIT } from '#platform/http/answers/plain-page.ts';

/** Doesn't restrict form targets: browsers would apply that to the redirect back to the application too. */
export { PAGE_POLICY } from '#platform/http/answers/plain-page.ts';

interface Problem {
  error: string;
  error_description?: string;
}

/** Explains why this request cannot lead back to the application. */
export function errorPage({ error, error_description: description }: Problem) {
  const detail = description === undefined ? error : `${error}: ${description}`;
  return page(
    "We can't continue this sign-in",
    `<p>Go back to the application and try again. If that doesn't help, show this message to its administrators.</p>
<p><code>${escapeHtml(detail)}</code></p>`,
  );
}

/** Maximum length of a URL that a page displays. */
const URL_MAX_LENGTH = 500;

/** Returns an error page; it displays the redirect URI if that isn't registered for the application. */
export function requestErrorPage({ oidc }: Pick<KoaContextWithOIDC, 'oidc'>, problem: Problem): string {
  const { error, error_description: description = '' } = problem;
  const parameter = description.startsWith('post_logout_redirect_uri') ? 'post_logout_redirect_uri' : 'redirect_uri';
  const address = oidc?.params?.[parameter];
  const isUnknown = error === 'invalid_redirect_uri' || parameter === 'post_logout_redirect_uri';
  if (!isUnknown || typeof address !== 'string') return errorPage(problem);
  const list = parameter === 'redirect_uri' ? 'callback URLs' : 'logout URLs';
  const shown = address.length > URL_MAX_LENGTH ? `${address.slice(0, URL_MAX_LENGTH)}…` : address;
  return page(
    "This application's address isn't registered",
    `<p>The application asked to return to:</p>
<p><code>${escapeHtml(shown)}</code></p>
<p>If you manage the application, add exactly this URL to its ${list}, or correct the URL in the application. Every character counts, including a slash at the end. If you don't, show this page to its administrators.</p>
<p><code>${escapeHtml(`${error}: ${description}`)}</code></p>`,
  );
}

interface Confirmation {
  /** The form's address. */
  action: string;
  /** Id of the request, which ties the form to this browser. */
  uid: string;
  application: string;
  /** Email of the signed-in user. */
  email: string;
}

/** Asks whether to continue to an application that this browser hasn't used before. */
export const confirmPage = ({ action, uid, application, email }: Confirmation): string =>
  page(
    `Continue to ${application}?`,
    `<p>You're signed in as ${escapeHtml(email)}, and you haven't used ${escapeHtml(application)} in this browser before. Continue only if you want to use it now.</p>
<form method="post" action="${escapeHtml(action)}">
<input type="hidden" name="uid" value="${escapeHtml(uid)}">
<button type="submit" autofocus>Continue</button>
<button type="submit" name="cancel" value="yes" class="plain">Cancel</button>
</form>`,
  );

interface NoAccess {
  application: string;
  /** Email of the signed-in user. */
  email: string;
  /** Path that returns to the application with the error. */
  back: string;
  /** The same request, for signing in as another user. */
  again: { action: string; params: readonly [name: string, value: string][] };
}

/** Tells a user that they can't use an application. */
export function noAccessPage({ application, email, back, again }: NoAccess): string {
  const inputs = again.params.map(
    ([name, value]) => `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`,
  );
  return page(
    `You can't use ${application}`,
    `${noAccessText(application, email)}
<form id="back" action="${escapeHtml(back)}"></form>
<button type="submit" form="back">Back to the application</button>
<form id="again" action="${escapeHtml(again.action)}">${inputs.join('')}</form>
<button type="submit" form="again" class="plain">Sign in as another user</button>`,
  );
}

/** Returns whether the ID token hint is of this session, or of its user if it names no session. */
function isProven({ entities, session, client }: KoaContextWithOIDC['oidc']): boolean {
  const { sub, sid } = entities.IdTokenHint?.payload ?? {};
  if (sub === undefined || sub !== session?.accountId) return false;
  return sid === undefined || sid === session.sidFor(client?.clientId ?? '');
}

/**
 * Asks whether to sign out, unless the application proved with an ID token on whose behalf it asks (OpenID Connect
 * RP-Initiated Logout 1.0 §2).
 * @param form the library's form, with its secret
 */
export function signOutPage({ oidc }: KoaContextWithOIDC, form: string): string {
  if (isProven(oidc)) {
    return page(
      'Signing out',
      `${form.replace('</form>', '<input type="hidden" name="logout" value="yes"><button type="submit">Continue</button></form>')}
<script>${SUBMIT}</script>`,
    );
  }
  const application = oidc.client?.clientName;
  return page(
    'Sign out?',
    `<p>${application ? `${escapeHtml(application)} asks to sign you out` : 'You are about to sign out'} of all applications in this browser.</p>
${form}
<button type="submit" form="op.logoutForm" name="logout" value="yes" autofocus>Sign out</button>
<button type="submit" form="op.logoutForm" class="plain">Stay signed in</button>`,
  );
}

export const signedOutPage = (): string =>
  page('Signed out', '<p>You are signed out of the applications in this browser. You can close this page.</p>');
