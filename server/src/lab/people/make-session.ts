import { challengeRepo } from '@orchestrate/db';
import {
  type AuthState,
  authState,
  contract,
  type EndpointDefinition,
  LIMITS,
  resultNameOf,
  SECOND,
  STORED_SESSION,
} from '@orchestrate/shared';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../deps.ts';
import { machineNow } from '../../platform/adapters/machine-time.ts';
import { fieldsOf } from '../../platform/http/callers/permissions.ts';
import { Refusal } from '../../platform/refusal.ts';
import { OWN_HEADERS } from '../own-calls.ts';
import { requirePhone } from '../phones/find-phone.ts';
import { answerAsPhone } from '../phones/phone.ts';

/**
 * Signs somebody in as a browser and a phone do: by a code, which the phone approves.
 * @throws Refusal as `requirePhone`, or what the portal refuses the sign-in with
 */
export async function makeSession(app: FastifyInstance, deps: Deps, email: string, org?: string): Promise<AuthState> {
  const phone = requirePhone(deps, email, org);
  const { orgCode } = phone.device;
  const { loginId } = await ask(app, contract.login, { orgCode, mode: 'QID' });
  const challenge = challengeRepo.findChallengeBySecretId(deps.db, String(loginId));
  if (!challenge) throw new Error(`Expected a sign-in ${String(loginId)}, found none.`);
  const { resultCode, message } = await answerAsPhone(app, deps, phone, challenge, { answer: 'approve' }, OWN_HEADERS);
  if (resultCode !== 0) throw new Refusal(resultNameOf(resultCode) ?? 'FAILED', { message });
  const { exchangeToken } = await ask(app, { ...contract.loginState, path: `/user/login/${challenge.id}` });
  return authState.parse(await ask(app, contract.login, { loginId, exchangeToken }));
}

/** Calls the portal's own HTTP interface. @throws Refusal what the portal refuses with */
async function ask(app: FastifyInstance, { method, path }: EndpointDefinition, body?: object) {
  const answered = await app.inject({
    method,
    url: `/api${path}`,
    headers: OWN_HEADERS,
    ...(body && { payload: body }),
  });
  const fields = fieldsOf(answered.json());
  if (fields.resultName === undefined) return fields;
  const name = resultNameOf(Number(fields.resultCode)) ?? 'FAILED';
  throw new Refusal(name, { message: String(fields.message) });
}

/** A sign-in as the client keeps it in a browser, in the form of Playwright's `storageState`. */
export function storageStateOf({ publicUrl }: Deps, state: AuthState) {
  const session = { ...state, tokenEndsAt: machineNow() + LIMITS.accessTokenSeconds * SECOND };
  const localStorage = [
    { name: STORED_SESSION.session, value: JSON.stringify(session) },
    { name: STORED_SESSION.organisation, value: state.orgId },
  ];
  return { cookies: [], origins: [{ origin: publicUrl, localStorage }] };
}
