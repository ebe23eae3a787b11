import { t } from '@lingui/core/macro';
import { isAsked, isToldWho, requestIs } from './happened.ts';
import type { Scene } from './scene.ts';
import { approve, scanCode } from './usual-steps.ts';

export const singleSignOn: Scene = {
  title: t`An application with single sign-on`,
  short: t`Single sign-on`,
  about: t`Maya opens Payroll and the Wiki. One approval is enough for both.`,
  who: 'employee',
  browserAt: () => '/demo/app/payroll',
  phoneOf: 'employee',
  steps: [
    {
      title: t`Payroll asks who is there`,
      text: t`Press Sign in. Payroll has no passwords: it sends the browser to the sign-in page, where you press Sign in.`,
      at: 'browser',
      show: async ({ browser }) => {
        await browser.press(t`Sign in to Payroll`);
        await browser.press(t`Sign in`);
      },
      isDone: isAsked,
    },
    { ...scanCode, isDone: requestIs('opened', 'app-login') },
    { ...approve, isDone: requestIs('approved', 'app-login') },
    {
      title: t`Payroll knows Maya`,
      text: t`It was given a signed token (OpenID Connect), with the name and the address, and no password.`,
      at: 'browser',
      isDone: isToldWho,
    },
    {
      title: t`The Wiki doesn't ask again`,
      text: t`Open the Wiki and press Sign in there. This browser is already signed in, so the phone stays in the pocket.`,
      at: 'browser',
      show: async ({ browser }) => {
        await browser.open('/demo/app/wiki');
        await browser.press(t`Sign in to Wiki`);
      },
      isDone: isToldWho,
    },
  ],
};
