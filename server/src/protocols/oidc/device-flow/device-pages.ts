import { createPage, escapeHtml, noAccessHtml, type Page, type Translate } from '#platform/http/answers/plain-page.ts';

/** The library's form for device codes. */
export interface CodeForm {
  action: string;
  /** Secret that ties the form to the browser that requested it. */
  xsrf: string;
}

const PROBLEMS = {
  none: (t: Translate) => t('Enter the code that your device shows.'),
  unknown: (t: Translate) => t("This code doesn't match any device. Compare it with the code on your device."),
  expired: (t: Translate) => t('This code has expired. Get a new one on your device.'),
  used: (t: Translate) => t('This code has already been used. Get a new one on your device.'),
  outdated: (t: Translate) => t('This page was out of date. Enter the code again.'),
};
export type CodeProblem = keyof typeof PROBLEMS;

/** Renders a page that asks for the code on the device. */
export function codePage({ action, xsrf }: CodeForm, problem?: CodeProblem): Page {
  return createPage((t) => ({
    title: t('Sign in on a device'),
    body: `<form method="post" action="${escapeHtml(action)}">
<input type="hidden" name="xsrf" value="${escapeHtml(xsrf)}">
<label for="code">${t('Code that the device shows')}</label>
<input id="code" name="user_code" autocomplete="off" autocapitalize="characters" spellcheck="false" maxlength="20" placeholder="XXXX-XXXX"${problem ? ' aria-invalid="true" aria-describedby="problem"' : ''} autofocus>
${problem ? `<p id="problem" class="problem" role="alert">${PROBLEMS[problem](t)}</p>` : ''}
<button type="submit">${t('Continue')}</button>
</form>`,
  }));
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
export function confirmDevicePage({ action, xsrf }: CodeForm, { application, userCode, email }: PendingDevice): Page {
  return createPage((t) => ({
    title: t('Is this the device in front of you?'),
    body: `<p>${t(`<strong>${escapeHtml(application)}</strong> asks to sign you in on a device that shows this code:`)}</p>
<p class="code">${escapeHtml(userCode)}</p>
<p>${t('If someone sent you this code or a link with it, choose Deny. Otherwise they would be signed in as you.')}</p>
${email === undefined ? '' : `<p>${t(`You're signed in here as ${escapeHtml(email)}.`)}</p>`}
<form method="post" action="${escapeHtml(action)}">
<input type="hidden" name="xsrf" value="${escapeHtml(xsrf)}">
<input type="hidden" name="user_code" value="${escapeHtml(userCode)}">
<button type="submit" name="confirm" value="yes">${t('Sign in on the device')}</button>
<button type="submit" name="abort" value="yes" class="plain">${t('Deny')}</button>
</form>`,
  }));
}

export const deviceSignedInPage = (application: string): Page =>
  createPage((t) => ({
    title: t("You're signed in on the device"),
    body: `<p>${t(`${escapeHtml(application)} continues there in a moment. You can close this page.`)}</p>`,
  }));

export const deviceDeniedPage: Page = createPage((t) => ({
  title: t('You denied the sign-in'),
  body: `<p>${t("You aren't signed in on the device, and it has been notified. You can close this page.")}</p>`,
}));

/** Renders a page that explains why the sign-in on a device failed. */
export function deviceErrorPage({
  error,
  error_description: description,
}: {
  error: string;
  error_description?: string;
}): Page {
  const detail = description === undefined ? error : `${error}: ${description}`;
  return createPage((t) => ({
    title: t("We can't continue this sign-in"),
    body: `<p>${t("Start again on the device. If that doesn't help, show this message to the application's administrators.")}</p>
<p><code>${escapeHtml(detail)}</code></p>`,
  }));
}

/**
 * Renders a page that asks the user to wait after too many wrong codes from their network. @param wait formatted
 * duration, e.g. `3 minutes`
 */
export const tooManyCodesPage = (wait: string): Page =>
  createPage((t) => ({
    title: t('Too many wrong codes'),
    body: `<p>${t(`Too many wrong codes came from your network. Try again in ${escapeHtml(wait)}.`)}</p>`,
  }));

/**
 * Renders a page for a user who entered a device's code but can't use the device's application. @param of its
 * `signOut` is the path that signs the user out
 */
export function noAccessOnDevicePage(of: { application: string; email: string; signOut: string }): Page {
  return createPage((t) => ({
    title: t(`You can't use ${of.application}`),
    body: `${noAccessHtml(t, of.application, of.email)}
<p>${t('The device has been notified. To use it as another user, sign out here and start again on the device.')}</p>
<form action="${escapeHtml(of.signOut)}"><button type="submit" class="plain">${t('Sign out')}</button></form>`,
  }));
}
