import { paths } from '../../paths.ts';
import { isAsked, isMailed, requestIs } from './happened.ts';
import type { Scene } from './scene.ts';

export const deniedAttempt: Scene = {
  title: 'An attempt that is denied',
  short: 'Denied attempt',
  about: 'Somebody who knows Maya’s address tries to sign in with it. Maya is at lunch, and so is the phone.',
  who: 'employee',
  browserAt: (orgCode) => `${paths.signIn(orgCode)}?with=device`,
  phoneOf: 'employee',
  steps: [
    {
      title: 'A stranger types Maya’s address',
      text: 'In the browser, type Maya’s address and press Ask my device.',
      at: 'browser',
      show: async ({ browser, emailOf }) => {
        await browser.type(/^E-mail or/, emailOf('employee'));
        await browser.press('Ask my device');
      },
      isDone: isAsked,
    },
    {
      title: 'Maya’s phone asks',
      text: 'Maya started nothing. Press Deny, then “It wasn’t me”.',
      at: 'phone',
      show: async ({ phone }) => {
        await phone.press('Deny');
        await phone.press("It wasn't me");
      },
      isDone: requestIs('denied'),
    },
    {
      title: 'The administrators know',
      text: 'The browser is turned away, and those in charge are told what was asked, from where and when.',
      at: 'browser',
      isDone: isMailed('security-alert'),
    },
  ],
};
