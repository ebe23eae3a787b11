import { isAsked, isToldWho, requestIs } from './happened.ts';
import type { Scene } from './scene.ts';
import { approve, scanCode } from './usual-steps.ts';

export const singleSignOn: Scene = {
  title: 'An application with single sign-on',
  short: 'Single sign-on',
  about: 'Maya opens Payroll and the Wiki. One approval is enough for both.',
  who: 'employee',
  browserAt: () => '/demo/app/payroll',
  phoneOf: 'employee',
  steps: [
    {
      title: 'Payroll asks who is there',
      text: 'Press Sign in. Payroll has no passwords: it sends the browser to the sign-in page, where you press Sign in.',
      at: 'browser',
      show: async ({ browser }) => {
        await browser.press('Sign in to Payroll');
        await browser.press('Sign in');
      },
      isDone: isAsked,
    },
    { ...scanCode, isDone: requestIs('opened', 'app-login') },
    { ...approve, isDone: requestIs('approved', 'app-login') },
    {
      title: 'Payroll knows Maya',
      text: 'It was given a signed token (OpenID Connect), with the name and the address, and no password.',
      at: 'browser',
      isDone: isToldWho,
    },
    {
      title: 'The Wiki asks nobody',
      text: 'Open the Wiki and press Sign in there: this browser is known, so the phone stays in the pocket.',
      at: 'browser',
      show: async ({ browser }) => {
        await browser.open('/demo/app/wiki');
        await browser.press('Sign in to Wiki');
      },
      isDone: isToldWho,
    },
  ],
};
