import { externalSignInRepo, organisationRepo, type Tx } from '@orchestrate/db';
import type { contract, RequestOf } from '@orchestrate/shared';
import { memberObject } from '../../core/audit/audit-objects.ts';
import { record } from '../../core/audit/record.ts';
import { announceChallenge } from '../../core/sign-in/challenges/announce-challenge.ts';
import type { Requester } from '../../core/sign-in/challenges/begin.ts';
import { type BegunApproval, beginApproval, canApprove, isBusy } from '../../core/sign-in/challenges/begin-approval.ts';
import { denialPause } from '../../core/sign-in/challenges/denial-pause.ts';
import type { Deps } from '../../deps.ts';
import { hashSecret } from '../../platform/adapters/hash-secret.ts';
import { type AuditActor, providerActor } from '../../platform/http/callers/actors.ts';
import { isAllowedIp } from '../../platform/http/callers/allowed-ip.ts';
import { callbackAddress } from '../../platform/own-addresses.ts';
import { resetDetector } from '../../platform/retry-if-reset.ts';
import { ExternalSignInFailed } from './failure.ts';
import { type ExternalPerson, identifyPerson } from './identify-person.ts';
import { needsOwnApproval } from './needs-own-approval.ts';
import type { Providers } from './provider.ts';
import { type Recognised, recognise } from './recognise.ts';

export interface Return {
  /** What the provider gave the browser to bring back. */
  answer: RequestOf<typeof contract.returnFromProvider>['query'];
  /** See `browserOf`. */
  browser: string | undefined;
  requester: Requester;
  actor: AuditActor;
}

/** A code with which the browser that began gets its session, once. */
export interface ReturnedExternal {
  orgCode: string;
  code: string;
  /** Present if the person must first approve it on a device. */
  approval: BegunApproval | undefined;
}

/**
 * Handles a browser that comes back from the provider, and begins to sign its person in. @throws ExternalSignInFailed
 */
export async function returnExternal(deps: Deps, providers: Providers, returned: Return): Promise<ReturnedExternal> {
  const wasReset = resetDetector(deps);
  const signIn = claimState(deps, returned);
  const { orgCode } = signIn;
  const organisation = organisationRepo.findOrganisation(deps.db, orgCode);
  if (!organisation) throw new ExternalSignInFailed('unknown-organisation');
  if (!isAllowedIp(returned.requester.ip, organisation.allowedIps)) {
    throw new ExternalSignInFailed('ip-blocked', orgCode);
  }
  const address = new URL(callbackAddress(deps));
  address.search = new URLSearchParams(returned.answer).toString();
  const provider = await providers.of(organisation);
  const person = await identifyPerson(deps, provider, address, { ...signIn, state: returned.answer.state ?? '' });
  if (wasReset()) throw new ExternalSignInFailed('unknown-state');
  const code = deps.random.secret();
  const { approval, suid } = deps.db.transaction((tx) =>
    writeReturn(deps, tx, { returned, signIn, person, codeHash: hashSecret(code) }),
  );
  if (approval) announceChallenge(deps, { id: approval.approvalId, suid });
  return { orgCode, code, approval };
}

/** The state is used up, whatever the outcome. */
function claimState({ db, clock }: Deps, { answer, browser }: Return): externalSignInRepo.ExternalSignInRow {
  if (!answer.state || !browser) throw new ExternalSignInFailed('unknown-state');
  const now = clock.now();
  const hashes = { stateHash: hashSecret(answer.state), browser };
  const found = externalSignInRepo.returnExternalSignIn(db, hashes, now);
  if (!found) throw new ExternalSignInFailed('unknown-state');
  if (found.expiresAt <= now) throw new ExternalSignInFailed('expired', found.orgCode);
  return found;
}

interface Writing {
  returned: Return;
  signIn: externalSignInRepo.ExternalSignInRow;
  person: ExternalPerson;
  codeHash: string;
}

function writeReturn(deps: Deps, tx: Tx, { returned, signIn, person, codeHash }: Writing) {
  const { orgCode, stateHash } = signIn;
  const recognised = recognise(tx, orgCode, person);
  const { suid } = recognised.member;
  const isTrusted = recognised.identity !== undefined && recognised.identity.approvedAt !== null;
  const approval =
    !isTrusted && needsOwnApproval(tx, recognised.member)
      ? askForApproval(deps, tx, { returned, person, recognised })
      : undefined;
  const { issuer, subject, email } = person;
  const row = { stateHash, suid, codeHash, issuer, subject, email, approvalId: approval?.approvalId ?? null };
  externalSignInRepo.approveExternalSignIn(tx, orgCode, row, deps.clock.now());
  return { approval, suid };
}

/** Asks on the member's own device, which shows the provider and the address. */
function askForApproval(
  deps: Deps,
  tx: Tx,
  { returned, person, recognised: { member } }: Pick<Writing, 'returned' | 'person'> & { recognised: Recognised },
): BegunApproval {
  const { orgCode, suid } = member;
  if (!canApprove(deps, tx, member)) throw new ExternalSignInFailed('needs-device', orgCode);
  const { ip } = returned.requester;
  const isPaused = denialPause(deps, tx, orgCode, { suid, ip, browser: returned.browser }) !== undefined;
  if (isPaused || isBusy(deps, tx, member)) throw new ExternalSignInFailed('busy', orgCode);
  const approvable = { orgCode, suid, action: LINK, content: linkContent(person) };
  const statement = `Let ${person.email || person.subject} at ${hostOf(person.issuer)} sign in as you`;
  const begun = beginApproval(deps, tx, approvable, { statement, requester: returned.requester });
  record(
    deps,
    tx,
    { ...providerActor(orgCode, ip, person.issuer), recorded: returned.actor.recorded },
    {
      action: 'external-identity.approval-requested',
      after: linkFacts(person),
      object: { ...memberObject(member), type: 'external-identity', suid },
    },
  );
  return begun;
}

const hostOf = (issuer: string): string => URL.parse(issuer)?.host ?? issuer;

/** The action that an approval of a link names, and the exact content that is approved. */
export const LINK = 'link-external-identity';
export const linkContent = ({ issuer, subject }: Pick<ExternalPerson, 'issuer' | 'subject'>) => ({ issuer, subject });

/** The facts of a link for the audit trail. */
export const linkFacts = ({ issuer, subject, email }: Omit<ExternalPerson, 'isEmailVerified'>) => ({
  issuer,
  subject,
  email,
});
