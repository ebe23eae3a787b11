import { t } from '@lingui/core/macro';
import { paths } from '#paths.ts';
import { isAsked, isSignedIn, requestIs } from './happened.ts';
import type { Scene, Stage, Step } from './scene.ts';

/** Opens on the phone what the browser's QR code says, as its camera would. */
export async function scan({ browser, phone }: Stage): Promise<void> {
  const code = await browser.find('[data-qr]');
  const { pathname, search } = new URL(code.getAttribute('data-qr') ?? '');
  await phone.open(`${pathname}${search}`);
}

export const askForCode: Step = {
  title: t`The browser asks for a code`,
  text: t`Press Sign in. There is no password: the browser shows a code that works once.`,
  at: 'browser',
  show: async ({ browser }) => browser.press(t`Sign in`),
  isDone: isAsked,
};

export const scanCode: Step = {
  title: t`The phone reads it`,
  text: t`The phone’s camera scans the code. By hand, choose Type code in the browser and on the phone.`,
  at: 'phone',
  show: scan,
  isDone: requestIs('opened'),
};

export const approve: Step = {
  title: t`Approve`,
  text: t`The phone says who asks and from where. Approve: the phone signs the answer with its own key.`,
  at: 'phone',
  show: async ({ phone }) => phone.press(t`Approve`),
  isDone: requestIs('approved'),
};

export const signedIn: Step = {
  title: t`Signed in`,
  text: t`The browser continues automatically.`,
  at: 'browser',
  isDone: isSignedIn,
};

export const firstSignIn: Scene = {
  title: t`The first sign-in`,
  short: t`First sign-in`,
  about: t`Maya signs in with a phone, without a password.`,
  who: 'employee',
  browserAt: paths.signIn,
  phoneOf: 'employee',
  steps: [askForCode, scanCode, approve, signedIn],
};
