import { appLoginRepo, applicationRepo } from '@orchestrate/db';
import type { Deps } from '#deps.ts';
import { Refusal } from '#platform/refusal.ts';
import type { BrowserAppSignIn } from './begin-app-login.ts';

/**
 * Returns a pending sign-in to an application, together with the application.
 * @throws Refusal ID_DOESNOT_EXIST if the sign-in is unknown or another browser started it; EXPIRED
 */
export function requireAppSignIn({ db, clock }: Pick<Deps, 'db' | 'clock'>, { id, browser }: BrowserAppSignIn) {
  const appLogin = appLoginRepo.findAppSignIn(db, id);
  const application = appLogin && applicationRepo.findApplication(db, appLogin.orgCode, appLogin.appId);
  // Unknown sign-ins and sign-ins started in other browsers get the same refusal, so a link reveals nothing in
  // another browser.
  if (!application || browser === undefined || appLogin.browser !== browser) {
    throw new Refusal('ID_DOESNOT_EXIST', { message: 'This sign-in has ended or was started in another browser.' });
  }
  if (appLogin.expiresAt <= clock.now()) throw new Refusal('EXPIRED');
  return { appLogin, application };
}
