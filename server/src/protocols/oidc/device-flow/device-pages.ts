import { escapeHtml, noAccessHtml, renderPage } from '#platform/http/answers/plain-page.ts';

/** The library's form for device codes. */
export interface CodeForm {
  action: string;
  /** Secret that ties the form to the browser that requested it. */
  xsrf: string;
}

const PROBLEMS = {
  none: 'Enter the code that your device shows.',
  unknown: "This code doesn't match any device. Compare it with the code on your device.",
  expired: 'This code has expired. Get a new one on your device.',
  used: 'This code has already been used. Get a new one on your device.',
  outdated: 'This page was out of date. Enter the code again.',
};
export type CodeProblem = keyof typeof PROBLEMS;

/** Renders a page that asks for the code on the device. */
export function codePage({ action, xsrf }: CodeForm, problem?: CodeProblem): string {
  return renderPage(
    'Sign in on a device',
    `<form method="post" action="${escapeHtml(action)}">
<input type="hidden" name="xsrf" value="${escapeHtml(xsrf)}">
<label for="code">Code that the device shows</label>
<input id="code" name="user_code" autocomplete="off" autocapitalize="characters" spellcheck="false" maxlength="20" placeholder="XXXX-XXXX"${problem ? ' aria-invalid="true" aria-describedby="problem"' : ''} autofocus>
${problem ? `<p id="problem" class="problem" role="alert">${PROBLEMS[problem]}</p>` : ''}
<button type="submit">Continue</button>
</form>`,
  );
}

interface PendingDevice {
  application: string;
  userCode: string;
  /** Email address of the user who is already signed in to this browser, if any. */
  email: string | undefined;
}

/**
 * Renders a page that asks whether the device is the user's own, before the user is signed in on it (RFC 8628 §3.3.1,
 * §5.4).
 */
export function confirmDevicePage({ action, xsrf }: CodeForm, { application, userCode, email }: PendingDevice): string {
  return renderPage(
    'Is this the device in front of you?',
    `<p><strong>${escapeHtml(application)}</strong> asks to sign you in on a device that shows this code:</p>
<p class="code">${escapeHtml(userCode)}</p>
<p>If someone sent you this code or a link with it, choose Deny. Otherwise they would be signed in as you.</p>
${email === undefined ? '' : `<p>You are signed in here as ${escapeHtml(email)}.</p>`}
<form method="post" action="${escapeHtml(action)}">
<input type="hidden" name="xsrf" value="${escapeHtml(xsrf)}">
<input type="hidden" name="user_code" value="${escapeHtml(userCode)}">
<button type="submit" name="confirm" value="yes">Sign in on it</button>
<button type="submit" name="abort" value="yes" class="plain">Deny</button>
</form>`,
  );
}

export const deviceSignedInPage = (application: string): string =>
  renderPage(
    "You're signed in on the device",
    `<p>${escapeHtml(application)} continues there in a moment. You can close this page.</p>`,
  );

export const deviceDeniedPage = (): string =>
  renderPage(
    'You denied the sign-in',
    '<p>You are not signed in there, and the device has been notified. You can close this page.</p>',
  );

/** Renders a page that explains why the sign-in on a device failed. */
export function deviceErrorPage({
  error,
  error_description: description,
}: {
  error: string;
  error_description?: string;
}) {
  const detail = description === undefined ? error : `${error}: ${description}`;
  return renderPage(
    "We can't continue this sign-in",
    `<p>Start again on the device. If that doesn't help, show this message to the administrators of the application.</p>
<p><code>${escapeHtml(detail)}</code></p>`,
  );
}

/**
 * Renders a page that asks the user to wait after too many wrong codes from their network. @param wait formatted
 * duration, e.g. `3 minutes`
 */
export const tooManyCodesPage = (wait: string): string =>
  renderPage(
    'Too many wrong codes',
    `<p>Too many wrong codes came from your network. Try again in ${escapeHtml(wait)}.</p>`,
  );

/**
 * Renders a page for a user who entered a device's code but can't use the device's application. @param of its
 * `signOut` is the path that signs the user out
 */
export function noAccessOnDevicePage(of: { application: string; email: string; signOut: string }): string {
  return renderPage(
    `You can't use ${of.application}`,
    `${noAccessHtml(of.application, of.email)}
<p>The device has been notified. To use it as another user, sign out here and start again on the device.</p>
<form action="${escapeHtml(of.signOut)}"><button type="submit" class="plain">Sign out</button></form>`,
  );
}
