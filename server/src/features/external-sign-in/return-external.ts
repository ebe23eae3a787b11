import { externalSignInRepo, loginHistoryRepo, memberRepo, organisationRepo, type Tx } from '@orchestrate/db';
import type { RequestOf, returnFromProvider } from '@orchestrate/shared';
import { hashSecret } from '../../adapters/hash-secret.ts';
import { PORTAL_APP_NAME } from '../../challenges/portal-app-name.ts';
import type { Deps } from '../../deps.ts';
import { isAllowedIp } from '../../http/allowed-ip.ts';
import { callbackAddress } from '../../models/callback-address.ts';
import { ExternalSignInFailed } from './failure.ts';
import { identifyPerson } from './identify-person.ts';
import type { Providers } from './provider.ts';

export interface Return {
  /** What the provider gave the browser to bring. */
  answer: RequestOf<typeof returnFromProvider>['query'];
  browserSecret: string | undefined;
  ip: string;
}

/** A code with which the browser that began gets its session, once. */
export interface ApprovedExternal {
  orgCode: string;
  code: string;
}

/** Signs in whoever comes back from the provider. @throws ExternalSignInFailed */
export async function returnExternal(deps: Deps, providers: Providers, returned: Return): Promise<ApprovedExternal> {
  const signIn = claimState(deps, returned);
  const { orgCode } = signIn;
  const organisation = organisationRepo.findOrganisation(deps.db, orgCode);
  if (!organisation) throw new ExternalSignInFailed('unknown-organisation');
  if (!isAllowedIp(returned.ip, organisation.allowedIps)) throw new ExternalSignInFailed('ip-blocked', orgCode);
  const address = new URL(callbackAddress(deps));
  address.search = new URLSearchParams(returned.answer).toString();
  const provider = await providers.of(organisation);
  const email = await identifyPerson(deps, provider, address, { ...signIn, state: returned.answer.state ?? '' });
  const code = deps.random.secret();
  deps.db.transaction((tx) => approve(deps, tx, { signIn, email, code, ip: returned.ip }), { behavior: 'immediate' });
  return { orgCode, code };
}

/** The state counts once, whatever comes of it. */
function claimState({ db, clock }: Deps, { answer, browserSecret }: Return): externalSignInRepo.ExternalSignInRow {
  if (!answer.state || !browserSecret) throw new ExternalSignInFailed('unknown-state');
  const now = clock.now();
  const hashes = { stateHash: hashSecret(answer.state), browserHash: hashSecret(browserSecret) };
  const found = externalSignInRepo.returnExternalSignIn(db, hashes, now);
  if (!found) throw new ExternalSignInFailed('unknown-state');
  if (found.expiresAt <= now) throw new ExternalSignInFailed('expired', found.orgCode);
  return found;
}

interface Approval {
  signIn: externalSignInRepo.ExternalSignInRow;
  /** As the provider has verified it. */
  email: string;
  code: string;
  ip: string;
}

function approve({ clock, random }: Deps, tx: Tx, { signIn, email, code, ip }: Approval): void {
  const { orgCode, stateHash } = signIn;
  const { suid } = requireActive(memberRepo.findMemberByEmail(tx, orgCode, email.toLowerCase()), orgCode);
  const now = clock.now();
  const returned = { stateHash, suid, codeHash: hashSecret(code), issuer: '', subject: '', email, approvalId: null };
  externalSignInRepo.approveExternalSignIn(tx, orgCode, returned, now);
  loginHistoryRepo.insertLoginRecord(tx, {
    ...{ id: random.id(), orgCode, suid, ip },
    ...{ zid: null, deviceName: '–', deviceType: null },
    ...{ appName: PORTAL_APP_NAME, appLoginId: null, mode: 'OIDC', loginStatus: 'Success', reason: null },
    timestamp: now,
  });
  memberRepo.touchMember(tx, orgCode, suid, now);
}

function requireActive(member: memberRepo.MemberRow | undefined, orgCode: string): memberRepo.MemberRow {
  if (!member) throw new ExternalSignInFailed('unknown-email', orgCode);
  if (member.accountStatus === 'inactive') throw new ExternalSignInFailed('inactive', orgCode);
  if (member.accountStatus !== 'active') throw new ExternalSignInFailed('not-registered', orgCode);
  return member;
}
