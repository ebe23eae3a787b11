import type { KoaContextWithOIDC } from 'oidc-provider';
import { escapeHtml } from '../../platform/http/answers/escape-html.ts';
import { noAccessText, page, SUBMIT } from '../../platform/http/answers/plain-page.ts';

/** The policy does not restrict form targets: browsers would apply that to the redirect back to the application too. */
export { PAGE_POLICY } from '../../platform/http/answers/plain-page.ts';

/** Explains why this request cannot lead back to the application. */
export function errorPage({ error, error_description: description }: { error: string; error_description?: string }) {
  const detail = description === undefined ? error : `${error}: ${description}`;
  return page(
    "We can't continue this sign-in",
    `<p>Go back to the application and try again. If that does not help, show this message to its administrators.</p>
<p><code>${escapeHtml(detail)}</code></p>`,
  );
}

interface NoAccess {
  application: string;
  /** Of the person who has signed in. */
  email: string;
  /** Goes back to the application with the refusal. */
  back: string;
  /** The same request for somebody else. */
  again: { action: string; params: readonly [name: string, value: string][] };
}

/** Tells somebody that they may not use an application. */
export function noAccessPage({ application, email, back, again }: NoAccess): string {
  const inputs = again.params.map(
    ([name, value]) => `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`,
  );
  return page(
    `You may not use ${application}`,
    `${noAccessText(application, email)}
<form id="back" action="${escapeHtml(back)}"></form>
<button type="submit" form="back">Back to the application</button>
<form id="again" action="${escapeHtml(again.action)}">${inputs.join('')}</form>
<button type="submit" form="again" class="plain">Sign in as somebody else</button>`,
  );
}

/** Whether the id token is of this very session, or at least of this person where it names none. */
function isProven({ entities, session, client }: KoaContextWithOIDC['oidc']): boolean {
  const { sub, sid } = entities.IdTokenHint?.payload ?? {};
  if (sub === undefined || sub !== session?.accountId) return false;
  return sid === undefined || sid === session.sidFor(client?.clientId ?? '');
}

/**
 * Asks whether to sign out, unless the application has proven with an id token on whose behalf it asks (OpenID Connect
 * RP-Initiated Logout 1.0 §2).
 * @param form the library's, with its secret
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
  page('Signed out', '<p>You are signed out of the applications in this browser. You may close this page.</p>');
