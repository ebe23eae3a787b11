import { createHash } from 'node:crypto';
import type { KoaContextWithOIDC } from 'oidc-provider';
import { escapeHtml } from '../../mails/escape-html.ts';

const STYLE = `body{margin:0;min-height:100vh;display:grid;place-items:center;background:#f4f4f2;color:#1c1c1a;font:16px/1.5 system-ui,sans-serif}
main{box-sizing:border-box;width:min(28rem,calc(100vw - 2rem));padding:2rem;background:#fff;border:1px solid #e2e2dd;border-radius:12px}
h1{margin:0 0 .75rem;font-size:1.35rem;line-height:1.3}
p{margin:0 0 1rem}
code{font-size:.875rem;color:#5a5a54;overflow-wrap:anywhere}
button{margin:.25rem .5rem 0 0;padding:.6rem 1.1rem;border:1px solid #1c1c1a;border-radius:8px;background:#1c1c1a;color:#fff;font:inherit;cursor:pointer}
button.plain{background:transparent;color:inherit}
@media(prefers-color-scheme:dark){body{background:#161614;color:#ececea}main{background:#20201e;border-color:#3a3a36}code{color:#b5b5ae}button{background:#ececea;color:#161614;border-color:#ececea}}`;

const SUBMIT = 'document.forms[0].submit()';

const sourceOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/**
 * Nothing but this style sheet and this script, and in no frame. Where a form may lead is not said: browsers would hold
 * it against the way back to the application too. The library adds its own scripts to what stands here.
 */
export const PAGE_POLICY = [
  "default-src 'none'",
  `style-src ${sourceOf(STYLE)}`,
  `script-src ${sourceOf(SUBMIT)}`,
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join(';');

/** A page of few words. @param body HTML */
export const page = (title: string, body: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
<style>${STYLE}</style>
</head>
<body><main>
<h1>${escapeHtml(title)}</h1>
${body}
</main></body>
</html>
`;

/** Why there is no way back to the application with this. */
export function errorPage({ error, error_description: description }: { error: string; error_description?: string }) {
  const detail = description === undefined ? error : `${error}: ${description}`;
  return page(
    'This cannot go on',
    `<p>Go back to the application and try again. If that does not help, tell its administrators what stands here.</p>
<p><code>${escapeHtml(detail)}</code></p>`,
  );
}

/**
 * Asks whether to sign out, unless the application has proven with an id token for whom it asks
 * (OpenID Connect RP-Initiated Logout 1.0 §2).
 * @param form the library's, with its secret
 */
export function signOutPage({ oidc }: KoaContextWithOIDC, form: string): string {
  const isProven = oidc.entities.IdTokenHint?.payload.sub === oidc.session?.accountId;
  if (isProven) {
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
