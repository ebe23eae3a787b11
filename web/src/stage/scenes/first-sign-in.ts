import { t } from '@lingui/core/macro';
import { paths } from '../../paths.ts';
import type { Scene } from './scene.ts';
import { approve, askForCode, scanCode, signedIn } from './usual-steps.ts';

export const firstSignIn: Scene = {
  title: t`The first sign-in`,
  short: t`First sign-in`,
  about: t`Maya signs in with a phone, without a password.`,
  who: 'employee',
  browserAt: paths.signIn,
  phoneOf: 'employee',
  steps: [askForCode, scanCode, approve, signedIn],
};
