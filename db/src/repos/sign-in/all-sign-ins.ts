import { inArray, isNotNull, isNull, notInArray, union } from '#drizzle';
import type { Tx } from '../../database.ts';
import { appSignIns, testSignIns } from '../../schema/app-logins.ts';
import { rememberedBrowsers } from '../../schema/browsers.ts';
import { challenges } from '../../schema/challenges.ts';
import { externalSignIns } from '../../schema/external-sign-ins.ts';
import { samlSessions } from '../../schema/logouts.ts';
import { oidcModels } from '../../schema/oidc.ts';
import { sessions } from '../../schema/sessions.ts';
import { endAppSignIns } from '../applications/oidc-models.ts';

/** OpenID Connect models that don't result from sign-ins. */
const NOT_SIGN_INS = ['RegistrationAccessToken', 'ReplayDetection'];

/**
 * Ends every sign-in in every organisation: portal sessions, application sessions, remembered browsers, and pending
 * or approved sign-ins that could still become sessions. Applications are notified.
 * @param now in milliseconds
 */
export function endAllSignIns(tx: Tx, now: number): void {
  const signedIn = union(
    tx
      .select({ orgCode: oidcModels.orgCode, suid: oidcModels.suid })
      .from(oidcModels)
      .where(isNotNull(oidcModels.suid)),
    tx.select({ orgCode: samlSessions.orgCode, suid: samlSessions.suid }).from(samlSessions),
  ).all();
  for (const { orgCode, suid } of signedIn) if (suid !== null) endAppSignIns(tx, orgCode, { suid }, now);
  tx.delete(oidcModels).where(notInArray(oidcModels.model, NOT_SIGN_INS)).run();
  tx.update(sessions).set({ revokedAt: now }).where(isNull(sessions.revokedAt)).run();
  tx.update(rememberedBrowsers).set({ revokedAt: now }).where(isNull(rememberedBrowsers.revokedAt)).run();
  tx.delete(challenges)
    .where(inArray(challenges.status, ['pending', 'approved']))
    .run();
  for (const underWay of [appSignIns, testSignIns, externalSignIns]) tx.delete(underWay).run();
}
