import { t } from '@lingui/core/macro';
import { paths } from '#paths.ts';
import { requestReached, sessionStarted, signInStarted } from './journal-matchers.ts';
import type { Scene, Step, StepTools } from './scene.ts';

/** Opens the link in the browser's QR code on the phone, as the phone's camera would. */
export async function scan({ browser, phone }: StepTools): Promise<void> {
  const code = await browser.find('[data-qr]');
  const { pathname, search } = new URL(code.getAttribute('data-qr') ?? '');
  await phone.open(`${pathname}${search}`);
}

export const askForCode: Step = {
  title: t`The browser shows a code`,
  text: t`Press Sign in. Instead of asking for a password, the browser shows a code that can be used only once.`,
  at: 'browser',
  show: async ({ browser }) => browser.press(t`Sign in`),
  isDone: signInStarted,
};

export const scanCode: Step = {
  title: t`The phone scans the code`,
  text: t`The phone’s camera scans the code. To type it instead, choose Type code in the browser and on the phone.`,
  at: 'phone',
  show: scan,
  isDone: requestReached('opened'),
};

export const approve: Step = {
  title: t`Approve`,
  text: t`The phone shows who is asking and from where. When you approve, it signs the response with its own key.`,
  at: 'phone',
  show: async ({ phone }) => phone.press(t`Approve`),
  isDone: requestReached('approved'),
};

export const signedInStep: Step = {
  title: t`Signed in`,
  text: t`The browser continues automatically.`,
  at: 'browser',
  isDone: sessionStarted,
};

export const firstSignIn: Scene = {
  title: t`The first sign-in`,
  short: t`First sign-in`,
  about: t`Maya signs in with a phone, without a password.`,
  who: 'employee',
  browserAt: paths.signIn,
  phoneOf: 'employee',
  steps: [askForCode, scanCode, approve, signedInStep],
};
