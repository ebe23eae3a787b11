import { appLoginRepo, applicationRepo } from '@orchestrate/db';
import type { Deps } from '../../../deps.ts';
import { Refusal } from '../../../platform/refusal.ts';

/** A pending sign-in to an application. @throws Refusal ID_DOESNOT_EXIST unknown; EXPIRED over */
export function requireAppLogin({ db, clock }: Pick<Deps, 'db' | 'clock'>, id: string) {
  const appLogin = appLoginRepo.findAppLogin(db, id);
  const application = appLogin && applicationRepo.findApplication(db, appLogin.orgCode, appLogin.appId);
  if (!appLogin || !application) throw new Refusal('ID_DOESNOT_EXIST');
  if (appLogin.expiresAt <= clock.now()) throw new Refusal('EXPIRED');
  return { appLogin, application };
}
