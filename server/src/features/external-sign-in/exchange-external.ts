import { externalSignInRepo, memberRepo, organisationRepo } from '@orchestrate/db';
import { type AuthState, LIMITS, SECOND } from '@orchestrate/shared';
import { hashSecret } from '../../adapters/hash-secret.ts';
import type { Deps } from '../../deps.ts';
import { requireAllowedIp } from '../../http/allowed-ip.ts';
import { Refusal } from '../../http/refusal.ts';
import { authStateOf, openSession } from '../../http/sessions.ts';

export interface ExternalExchange {
  code: string;
  browserSecret: string | undefined;
  ip: string;
}

/**
 * Tokens for an external sign-in, once, soon after it, and only for the browser that began it.
 * @throws Refusal 35 disabled since; 69 the organisation lets nobody in from there; 10 everything else
 */
export function exchangeExternal(deps: Deps, { code, browserSecret, ip }: ExternalExchange): AuthState {
  if (!browserSecret) throw new Refusal('EXPIRED');
  const now = deps.clock.now();
  const hashes = { codeHash: hashSecret(code), browserHash: hashSecret(browserSecret) };
  const time = { approvedAfter: now - LIMITS.loginExchangeSeconds * SECOND, now };
  const session = deps.db.transaction(
    (tx) => {
      const signIn = externalSignInRepo.claimExternalSignIn(tx, hashes, time);
      const organisation = signIn && organisationRepo.findOrganisation(tx, signIn.orgCode);
      if (!signIn?.suid || !organisation) throw new Refusal('EXPIRED');
      const { orgCode, suid } = signIn;
      requireAllowedIp(ip, organisation);
      if (memberRepo.findMember(tx, orgCode, suid)?.accountStatus !== 'active') throw new Refusal('USER_INACTIVE');
      return openSession(deps, tx, { orgCode, suid, zid: null, mode: 'OIDC' });
    },
    { behavior: 'immediate' },
  );
  return authStateOf(deps, session);
}
