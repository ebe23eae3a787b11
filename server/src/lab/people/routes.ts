import { challengeRepo, memberListRepo, virtualDeviceRepo } from '@orchestrate/db';
import {
  type AuthState,
  authState,
  contract,
  type EndpointDefinition,
  fullNameOf,
  LIMITS,
  type ListedPerson,
  resultNameOf,
  SECOND,
  STORED_SESSION,
} from '@orchestrate/shared';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '#deps.ts';
import { machineNow } from '#platform/adapters/clock.ts';
import { implement } from '#platform/http/implement.ts';
import { Refusal } from '#platform/refusal.ts';
import { callPortalApi, INTERNAL_CALL_HEADERS, refusalOf } from '../call-portal-api.ts';
import { type Phone, requireOrgCode, requirePhone } from '../phones/find-phone.ts';
import { answerAsPhone } from '../phones/phone.ts';
import type { Policies } from '../phones/policies.ts';
import { recordLabAction } from '../record-in-lab.ts';
import { runUnlessReset } from '../world/run-unless-reset.ts';

/**
 * Signs a person in the way a browser and a phone do, with a code that the phone approves.
 * @throws Refusal as `requireOneOrganisation`, `requireOrgCode` and `requirePhone`, or as the portal refuses the
 * sign-in
 */
async function makeSession(app: FastifyInstance, deps: Deps, email: string, org?: string): Promise<AuthState> {
  if (org === undefined) requireOneOrganisation(deps, email);
  else requireOrgCode(deps, 'org', org);
  const phone = requirePhone(deps, 'email', email, org);
  const { orgCode } = phone.device;
  const { loginId } = await ask(app, contract.login, { orgCode, mode: 'QID' });
  const challenge = challengeRepo.findChallengeBySecretId(deps.db, String(loginId));
  if (!challenge) throw unusable(contract.login);
  try {
    return await complete(app, deps, phone, challenge);
  } catch (reason) {
    // Cancel the sign-in. No one else knows it, and as a pending request it would interfere with the test.
    challengeRepo.cancelSignIn(deps.db, orgCode, challenge.id, { resultCode: 'FAILED', now: deps.clock.now() });
    throw reason;
  }
}

/**
 * Verifies that the person has a phone in only one organisation.
 * @throws Refusal USER_IN_MULTIPLE_ORGS listing the organisations in which the person has a phone
 */
function requireOneOrganisation({ db }: Deps, email: string): void {
  const phones = virtualDeviceRepo.listVirtualDevices(db, { email });
  const orgCodes = [...new Set(phones.map(({ device }) => device.orgCode))].sort();
  if (orgCodes.length < 2) return;
  const message = `${email} has a simulated phone in ${orgCodes.join(' and ')}. Set org to select one.`;
  throw new Refusal('USER_IN_MULTIPLE_ORGS', { message, issues: [{ path: 'org', message }] });
}

async function complete(
  app: FastifyInstance,
  deps: Deps,
  phone: Phone,
  challenge: challengeRepo.ChallengeRow,
): Promise<AuthState> {
  const loginId = challenge.id;
  const { resultCode, message } = await answerAsPhone(
    app,
    deps,
    phone,
    challenge,
    { answer: 'approve' },
    INTERNAL_CALL_HEADERS,
  );
  if (resultCode !== 0) throw refusalOf(contract.makeSession, resultNameOf(resultCode) ?? 'FAILED', message);
  const { exchangeToken } = await ask(app, { ...contract.loginState, path: `/user/login/${challenge.id}` });
  const state = authState.safeParse(await ask(app, contract.login, { loginId, exchangeToken }));
  if (!state.success) throw unusable(contract.login);
  return state.data;
}

/**
 * Calls the portal's own HTTP API.
 * @throws Refusal with the portal's result code if the portal refuses the call
 */
async function ask(app: FastifyInstance, entry: EndpointDefinition, body?: object) {
  const fields = await callPortalApi(app, entry, body, INTERNAL_CALL_HEADERS);
  if (fields.resultName === undefined) return fields;
  throw refusalOf(contract.makeSession, resultNameOf(Number(fields.resultCode)) ?? 'FAILED', String(fields.message));
}

/** Returns the refusal for a response that isn't usable, e.g. because a fault produced it. */
const unusable = ({ method, path }: EndpointDefinition) =>
  new Refusal('FAILED', { message: `The response to ${method} /api${path} contains no sign-in that can continue.` });

/** Returns a session as a browser stores it, in the format of Playwright's `storageState`. */
function storageStateOf({ publicUrl }: Deps, state: AuthState) {
  const session = { ...state, tokenEndsAt: machineNow() + LIMITS.accessTokenSeconds * SECOND };
  const localStorage = [
    { name: STORED_SESSION.session, value: JSON.stringify(session) },
    { name: STORED_SESSION.organisation, value: state.orgId },
  ];
  return { cookies: [], origins: [{ origin: publicUrl, localStorage }] };
}

/** Lets tests create people and applications, and sign people in without opening a page. */
export function people(app: FastifyInstance, deps: Deps, policies: Policies): void {
  implement(app, deps, contract.readPeople, ({ query: { org, limit, ...wanted } }) => {
    if (org !== undefined) requireOrgCode(deps, 'org', org);
    const { people, total } = memberListRepo.listAllMembers(deps.db, { orgCode: org, ...wanted }, limit);
    return { people: people.map(listed), total };
  });

  implement(app, deps, contract.makePerson, async ({ body, actor }) => {
    const { savePerson } = await import('./save-person.ts');
    const {
      primaryEmail: email,
      roleCode: role,
      accountStatus: status,
      isNew,
      ...person
    } = savePerson(deps, actor, body);
    const { suid, orgCode, firstName, lastName, primaryAttr, manager, devices } = person;
    if (isNew) recordLabAction(deps, actor, 'lab.person-made', { orgCode, email, role });
    return { suid, orgCode, email, firstName, lastName, primaryAttr, role, status, manager, devices };
  });

  implement(app, deps, contract.makeApplication, async ({ body, actor }) => {
    const { saveApplication } = await import('../world/save-application.ts');
    return saveApplication(deps, actor, body);
  });

  implement(app, deps, contract.makeSession, async ({ body: { email, org }, actor }) => {
    const state = await policies.during(() => runUnlessReset(deps, () => makeSession(app, deps, email, org)));
    recordLabAction(deps, actor, 'lab.session-made', { email, orgCode: state.orgId });
    return { ...state, storageState: storageStateOf(deps, state) };
  });
}

type Everybody = ReturnType<typeof memberListRepo.listAllMembers>['people'];

const listed = ({ member, orgName, roleName, deviceCount }: Everybody[number]): ListedPerson => ({
  suid: member.suid,
  orgCode: member.orgCode,
  orgName,
  fullName: fullNameOf(member),
  email: member.primaryEmail,
  role: member.roleCode,
  roleName,
  status: member.accountStatus,
  deviceCount,
});
