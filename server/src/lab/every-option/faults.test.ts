import { deflateRawSync } from 'node:zlib';
import { ASSERTION_DAMAGES, contract, SCIM_TYPES, TOKEN_DAMAGES } from '@orchestrate/shared';
import { decodeJwt } from 'jose';
import { startReceiver } from '#testing/receiver.ts';
import type { Portal } from '../../testing-api/portal.ts';
import { ADMIN, type Case, each, MANAGER, proveOptions, type Run, refusalOf, USER } from './options-testing.ts';

type Fault = Parameters<Portal['fault']>[0];

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'] as const;
const HEALTH = '/api/health';
const TOKEN = '/oidc/acme/token';
/** How long a client waits for a response, in milliseconds. */
const PATIENCE_MS = 1_000;

/** Calls a path. Returns the parts of the response that a fault can change, or the name of the client's error. */
async function ask({ portal }: Run, path = HEALTH, init: RequestInit = {}) {
  try {
    const response = await fetch(portal.url + path, { signal: AbortSignal.timeout(PATIENCE_MS), ...init });
    const text = (await response.text()).replace(/"requestId":"[^"]*"/, '');
    return { status: response.status, header: response.headers.get('x-lab'), text };
  } catch (reason) {
    return reason instanceof Error ? reason.name : reason;
  }
}
const statusOf = async (run: Run, path?: string, init?: RequestInit) => Object(await ask(run, path, init)).status;

/** Adds a fault, and calls the path that it names. */
const observeCall =
  (faultOf: (run: Run) => Fault, path = HEALTH, init?: RequestInit): Case =>
  async (run) => {
    await run.portal.fault(faultOf(run));
    return ask(run, path, init);
  };
const observeAnswer = (answerOf: (run: Run) => Extract<Fault, { match: object }>['answer'], path = HEALTH): Case =>
  observeCall((run) => ({ match: { path }, answer: answerOf(run) }), path, path === HEALTH ? {} : { method: 'POST' });
/** Returns whether a call takes at least as long as the delay. */
const observeDelay =
  (faultOf: (run: Run) => Fault): Case =>
  async (run) => {
    await run.portal.fault(faultOf(run));
    const startTime = performance.now();
    await ask(run);
    return performance.now() - startTime >= DELAY_MS - 1;
  };
const DELAY_MS = 600;

/** Calls a path as a signed-in user. Returns the status. */
const observeUserCall =
  (faultOf: (run: Run) => Fault): Case =>
  async (run) => {
    const { token } = await run.portal.session({ email: USER });
    await run.portal.fault(faultOf(run));
    return statusOf(run, '/api/profile', { headers: { authorization: `Bearer ${token}` } });
  };

/** Refreshes a user's tokens. Returns the verdict on the ID token, the response's field names and the claim names. */
const observeTokenResponse =
  (answerOf: (run: Run) => Extract<Fault, { match: object }>['answer']): Case =>
  async (run) => {
    const { portal } = run;
    const acme = (await portal.world()).organisations?.find(({ code }) => code === 'acme');
    const wiki = acme?.applications?.find(({ id }) => id === 'team-wiki');
    const secret: string = Object(wiki).oidc.secrets[0].secret;
    const { refreshToken } = await portal.tokens({ client: 'team-wiki', as: USER });
    const form = { grant_type: 'refresh_token', refresh_token: refreshToken ?? '' };
    const client = { client_id: 'team-wiki', client_secret: secret };
    await portal.fault({ match: { path: TOKEN }, answer: answerOf(run) });
    const body = new URLSearchParams({ ...form, ...client });
    const fields = Object(await (await fetch(portal.url + TOKEN, { method: 'POST', body })).json());
    const { verdict } = await portal.inspect({ token: fields.id_token });
    return [verdict, Object.keys(fields), Object.keys(decodeJwt(fields.id_token))];
  };

/** Signs in at a service provider. Returns the verdict on the SAML response, and whether it names the request. */
const observeSamlResponse =
  (answerOf: (run: Run) => Extract<Fault, { match: object }>['answer']): Case =>
  async (run) => {
    const { portal } = run;
    const provider = await startReceiver();
    const metadata = `<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="https://sp.test"><SPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol"><AssertionConsumerService index="0" Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST" Location="${provider.url}"/></SPSSODescriptor></EntityDescriptor>`;
    const { token: admin } = await portal.session({ email: ADMIN });
    const settings = {
      redirectUrl: provider.url,
      samlNameId: 'primaryEmail',
      samlAttributes: ['firstName'],
      flags: FLAGS,
    };
    const body = { orgCode: 'acme', name: 'SP', metadata, ...settings };
    const params = { orgCode: 'acme' };
    const { appId } = await portal.call(contract.createSamlApp, { params, body }, { token: admin });
    const sso = `${portal.url}/saml/acme/${appId}/sso`;
    const { now } = await portal.clock();
    const xml = `<samlp:AuthnRequest xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="_1" Version="2.0" IssueInstant="${now}" Destination="${sso}"><saml:Issuer>https://sp.test</saml:Issuer></samlp:AuthnRequest>`;
    await portal.fault({ match: { path: `/saml/acme/${appId}/sso` }, answer: answerOf(run) });
    const request = new URLSearchParams({ SAMLRequest: deflateRawSync(xml).toString('base64') });
    await portal.browser({ as: USER }).open(`${sso}?${request}`);
    const token = new URLSearchParams(provider.received[0]?.body).get('SAMLResponse') ?? '';
    await provider.close();
    const { verdict } = await portal.inspect({ token });
    return [verdict, /InResponseTo="_1"/.test(Buffer.from(token, 'base64').toString())];
  };

const FLAGS = { didEnabled: true, webAuthnEnabled: true, forceAuthnEnabled: false };

/** Adds two faults and clears some of them. Returns the result and how many remain. */
const observeCleared =
  (match: Extract<Fault, { match: object }>['match'], query: (run: Run) => object): Case =>
  async (run) => {
    await run.portal.fault({ match, answer: { status: 503 } });
    await run.portal.fault({ match: { path: '/api/refresh' }, answer: { status: 503 } });
    const outcome = await refusalOf(run.portal.clearFaults(query(run)));
    return [outcome, (await run.portal.faults()).faults.length];
  };

/** A method other than `method`, or the same if other faults don't apply to it. */
const otherThan = (method: string) => (method === 'GET' ? 'POST' : method === 'OPTIONS' ? 'OPTIONS' : 'GET');

proveOptions('faults', {
  ...each('addFault match.method', METHODS, (method) =>
    observeCall(({ option }) => ({ match: { path: '/*', ...option({ method }) }, answer: { status: 599 } }), HEALTH, {
      method: otherThan(method),
    }),
  ),
  'addFault match.path': observeCall(({ option }) => ({
    match: option({ path: '/api/profile' }, { path: HEALTH }),
    answer: { status: 599 },
  })),
  'addFault match.email': observeUserCall(({ option }) => ({
    match: { path: '/api/profile', ...option({ email: MANAGER }) },
    answer: { status: 599 },
  })),
  'addFault match.org': observeUserCall(({ option }) => ({
    match: { path: '/api/profile', ...option({ org: 'globex' }) },
    answer: { status: 599 },
  })),
  'addFault match.client': observeCall(
    ({ option }) => ({ match: { path: TOKEN, ...option({ client: 'payroll' }) }, answer: { status: 599 } }),
    TOKEN,
    { method: 'POST', body: new URLSearchParams({ client_id: 'team-wiki' }) },
  ),
  'addFault match.body': observeCall(
    ({ option }) => ({ match: { path: TOKEN, ...option({ body: { grant_type: 'x' } }) }, answer: { status: 599 } }),
    TOKEN,
    { method: 'POST', body: new URLSearchParams({ grant_type: 'refresh_token' }) },
  ),
  'addFault answer.resultName': observeAnswer(({ option }) => option({ resultName: 'EXPIRED' }, { delayMs: 1 })),
  'addFault answer.status': observeAnswer(({ option }) => option({ status: 503 }, { delayMs: 1 })),
  'addFault answer.body': observeAnswer(({ option }) => ({ status: 503, ...option({ body: 'down' }) })),
  'addFault answer.headers': observeAnswer(({ option }) => ({
    status: 503,
    ...option({ headers: { 'x-lab': 'on' } }),
  })),
  'addFault answer.oauthError': observeAnswer(
    ({ option }) => option({ oauthError: 'slow_down' }, { status: 503 }),
    TOKEN,
  ),
  'addFault answer.scim.status': observeAnswer(
    ({ option }) => ({ scim: option({ status: 409 }, { status: 412 }) }),
    '/scim/v2/acme/Users',
  ),
  ...each('addFault answer.scim.scimType', SCIM_TYPES, (scimType) =>
    observeAnswer(({ option }) => ({ scim: { status: 400, ...option({ scimType }) } }), '/scim/v2/acme/Users'),
  ),
  'addFault answer.scim.detail': observeAnswer(
    ({ option }) => ({ scim: { status: 400, ...option({ detail: 'Ask again.' }) } }),
    '/scim/v2/acme/Users',
  ),
  'addFault answer.hang': observeAnswer(({ option }) => option({ hang: true }, { delayMs: 1 })),
  'addFault answer.cut: true': observeAnswer(({ option }) => option({ cut: true }, { delayMs: 1 })),
  'addFault answer.cut: body': observeAnswer(({ option }) => option({ cut: 'body' }, { delayMs: 1 })),
  ...each('addFault answer.token', TOKEN_DAMAGES, (token) =>
    observeTokenResponse(({ option }) => option({ token }, { delayMs: 1 })),
  ),
  'addFault answer.token.without': observeTokenResponse(({ option }) =>
    option({ token: { without: 'email' } }, { delayMs: 1 }),
  ),
  'addFault answer.claims': observeTokenResponse(({ option }) =>
    option({ claims: { tenant: 'north' } }, { delayMs: 1 }),
  ),
  'addFault answer.fields': observeTokenResponse(({ option }) =>
    option({ fields: { tenant: 'north' } }, { delayMs: 1 }),
  ),
  ...each('addFault answer.assertion', ASSERTION_DAMAGES, (assertion) =>
    observeSamlResponse(({ option }) => option({ assertion }, { delayMs: 1 })),
  ),
  'addFault answer.delayMs': observeDelay(({ option }) => ({
    match: { path: HEALTH },
    answer: { status: 503, ...option({ delayMs: DELAY_MS }) },
  })),
  'addFault times': async (run) => {
    await run.portal.fault({ match: { path: HEALTH }, answer: { status: 599 }, ...run.option({ times: 2 }) });
    return [await statusOf(run), await statusOf(run), await statusOf(run)];
  },
  'addFault after': observeCall(({ option }) => ({
    match: { path: HEALTH },
    answer: { status: 599 },
    ...option({ after: 1 }),
  })),

  ...each('addFault 2/method', ['GET', 'POST', 'PUT', 'DELETE'], (method) =>
    observeCall(
      ({ option }) => ({ path: '/*', status: 599, ...option({ method }, { method: otherThan(method) as 'GET' }) }),
      HEALTH,
      { method: otherThan(method) },
    ),
  ),
  'addFault 2/path': observeCall(({ option }) => ({
    method: 'GET',
    ...option({ path: '/profile' }, { path: '/health' }),
  })),
  'addFault 2/status': observeCall(({ option }) => ({ method: 'GET', path: '/health', ...option({ status: 418 }) })),
  'addFault 2/times': async (run) => {
    await run.portal.fault({ method: 'GET', path: '/health', status: 599, ...run.option({ times: 2 }) });
    return [await statusOf(run), await statusOf(run), await statusOf(run)];
  },
  'addFault 2/delayMs': observeDelay(({ option }) => ({
    method: 'GET',
    path: '/health',
    ...option({ delayMs: DELAY_MS }),
  })),

  ...each('clearFaults method', METHODS, (method) =>
    observeCleared({ path: '/*', method }, ({ option }) => ({ path: '/*', ...option({ method }) })),
  ),
  'clearFaults path': observeCleared({ path: HEALTH }, ({ option }) => option({ path: HEALTH })),
  'clearFaults email': observeCleared({ path: '/api/profile', email: USER }, ({ option }) => ({
    path: '/api/profile',
    ...option({ email: USER }),
  })),
  'clearFaults client': observeCleared({ path: TOKEN, client: 'payroll' }, ({ option }) => ({
    path: TOKEN,
    ...option({ client: 'payroll' }),
  })),
  'clearFaults org': observeCleared({ path: '/api/profile', org: 'acme' }, ({ option }) => ({
    path: '/api/profile',
    ...option({ org: 'acme' }),
  })),
});
