import { t } from '@lingui/core/macro';
import { paths } from '../../paths.ts';
import { isAsked, isMailed, requestIs } from './happened.ts';
import type { Scene } from './scene.ts';

export const deniedAttempt: Scene = {
  title: t`An attempt that is denied`,
  short: t`Denied attempt`,
  about: t`Someone who knows Maya’s address tries to sign in with it. Maya is at lunch, and so is the phone.`,
  who: 'employee',
  browserAt: (orgCode) => `${paths.signIn(orgCode)}?with=device`,
  phoneOf: 'employee',
  steps: [
    {
      title: t`A stranger types Maya’s address`,
      text: t`In the browser, type Maya’s address and press Ask my device.`,
      at: 'browser',
      show: async ({ browser, emailOf }) => {
        // The organisation's own attribute follows.
        const attribute = '';
        await browser.type({ begins: t`Email or ${attribute}` }, emailOf('employee'));
        await browser.press(t`Ask my device`);
      },
      isDone: isAsked,
    },
    {
      title: t`Maya’s phone asks`,
      text: t`Maya started nothing. Press Deny, then “It wasn’t me”.`,
      at: 'phone',
      show: async ({ phone }) => {
        await phone.press(t`Deny`);
        await phone.press(t`It wasn't me`);
      },
      isDone: requestIs('denied'),
    },
    {
      title: t`The administrators know`,
      text: t`The browser is turned away, and the administrators are told what was requested, when and from where.`,
      at: 'browser',
      isDone: isMailed('security-alert'),
    },
  ],
};
