import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { contract, type World } from '@orchestrate/shared';
import { createAuthenticator, deviceOfVirtual } from '@orchestrate/shared/authenticator';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { machineNow } from '#platform/adapters/clock.ts';
import { type Receiver, startReceiver } from '#testing/receiver.ts';
import type { Portal } from '../portal.ts';
import { startPortal } from '../start-portal.ts';

/** Lines of the guide that have no real counterpart, by the reason. */
const WITHOUT_COUNTERPART: Readonly<Record<string, readonly string[]>> = {
  'starts a portal or sets its data': [
    'a running portal (`npx orchestrate start`)',
    'a state to return to',
    'a portal for each worker, starting in that state',
    'your own people and organisations',
    'a `seed` with your own application, client id and secret',
    'a `seed` with an application that displays a device code',
    'a `seed` with an application whose access tokens are JWTs',
    'other settings, another time or an empty portal',
    'an application that a test adds',
    'a change of an application',
  ],
  'is the real action': [
    'a device before and after its user has signed in',
    'a signing key that changes between two sign-ins',
    'a delivery that has arrived',
    'a retry',
  ],
  'sets the time, which a real portal reads from the machine': [
    'a frozen clock',
    'another date',
    "tokens of that date, if your client's clock is faked too",
  ],
  'fails in the network, a proxy or the machine, outside the portal': [
    'two failures, then success',
    'a server that is down',
    'a response from a proxy',
    'a token endpoint that is down',
    'a refresh that fails for another reason',
    'a slow response',
    'no response',
    'a connection that closes before the response',
    'a connection that closes during the response',
    'a socket that is refused',
    'a lost socket',
    'a late message',
    'a duplicate message',
    'a lost message',
    'out-of-order messages',
    'a late delivery',
    'out-of-order deliveries',
  ],
  'is invalid, so no real portal sends it': [
    'an invalid ID token',
    'extra fields in a token response',
    'a token without one claim',
    'a forged event',
    'a wrongly signed delivery',
    'an ID token with your own claims, such as `acr`',
    'tokens of another issuer, but with a valid signature',
  ],
  'limits errors that other lines compare': ['an error of one grant type', 'an error for one application'],
  'reads or clears records of the lab': [
    'an empty outbox for one person',
    'that something was called exactly once',
    'that something was called once or twice',
    'that it was called with certain fields',
    'that there was no call in one organisation after an entry',
    'that no socket was opened',
    'that a socket was refused',
    'that a webhook accepted an event',
    'that something happens soon',
    'which code or link an email contains',
    'which messages a user received',
    'only emails sent from now on',
    'that all faults and policies fired',
    'why the token endpoint refused a request',
  ],
};

const GUIDE = readFileSync(join(import.meta.dirname, '../../../../docs/testing-a-client.md'), 'utf8');
/** Sections of the guide that have a test file of their own. `others.test.ts` covers all others. */
const SECTIONS = { phones: ['The user and the phone'], protocols: ['The server', 'Tokens for resource servers'] };
type File = keyof typeof SECTIONS | 'others';
const fileOf = (section: string): File =>
  (['phones', 'protocols'] as const).find((file) => SECTIONS[file].some((name) => section.startsWith(`${name}\n`))) ??
  'others';

/** Lists the situations in the tables of the guide, of all sections or of those that a test file covers. */
const linesOf = (file?: File): string[] =>
  GUIDE.split(/^## /m)
    .filter((section) => file === undefined || fileOf(section) === file)
    .flatMap((section) => [...section.matchAll(/^\| ([^|]+) \| (?!line )/gm)].map(([, line = '']) => line));

/** Returns what a client sees of the simulated situation and of the real one. */
export type Comparison = () => Promise<{ simulated: unknown; real: unknown }>;

/** Compares lines of the guide with the real situations that they simulate. A key can end with `: ` and a variant. */
export function compareLines(file: File, comparisons: Readonly<Record<string, Comparison>>): void {
  test('compares every line of the guide that has a real counterpart', () => {
    const compared = Object.keys(comparisons).map((key) => key.split(': ')[0] ?? '');
    const excluded = Object.values(WITHOUT_COUNTERPART).flat();
    const known = new Set([...compared, ...excluded]);
    expect(linesOf(file).filter((line) => !known.has(line))).toEqual([]);
    expect([...known].filter((line) => !linesOf().includes(line))).toEqual([]);
    expect(compared.filter((line) => excluded.includes(line))).toEqual([]);
  });
  test.each(Object.entries(comparisons))('%s', async (_, compare) => {
    const { simulated, real } = await compare();
    expect(simulated).toEqual(real);
  });
}

export const ADMIN = 'super.admin@acme.test';
export const SECRET = 'secret-of-the-wiki';
export const RESOURCE = 'https://orders.acme.test';
export const DIRECTORY = { username: 'directory', password: 'password-of-the-directory' };

/** The portal, the member and the server of the client in the current test. */
export interface Stage {
  portal: Portal;
  email: string;
  suid: string;
  /** Receives callbacks and events. */
  receiver: Receiver;
}

/** Starts a portal for a test file, and resets it before each test. */
export function setStage(): Stage {
  const stage = {} as Stage;
  beforeAll(async () => {
    stage.receiver = await startReceiver();
    stage.portal = await startPortal({ seed: worldWith(stage.receiver.url) });
  });
  beforeEach(async () => {
    await stage.portal.reset();
    stage.receiver.received.length = 0;
    stage.receiver.answerWith({ status: 200 });
    Object.assign(stage, await stage.portal.person({ org: 'acme' }));
  });
  afterAll(async () => {
    await stage.portal.close();
    await stage.receiver.close();
  });
  return stage;
}

const spMetadata = (url: string) =>
  `<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="https://sp.test"><SPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol"><AssertionConsumerService index="0" Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST" Location="${url}"/></SPSSODescriptor></EntityDescriptor>`;

/** @param url URL of the client's callbacks */
export function worldWith(url: string, changes: object = {}): World {
  const web = { redirectUris: [url], secrets: [{ secret: SECRET }] };
  const metadata = spMetadata(url);
  const organisation = {
    code: 'acme',
    people: [{ email: ADMIN, role: 'SUPER_ADMIN' }],
    security: { discloseUnknownUsers: true },
    provisioning: { ...DIRECTORY, madeBy: ADMIN },
    apiResources: [{ identifier: RESOURCE, name: 'Orders', scopes: ['orders:read'] }],
    applications: [
      { id: 'wiki', type: 'oidc', oidc: web },
      {
        id: 'tenants',
        type: 'oidc',
        oidc: { ...web, claims: [{ name: 'tenant', value: 'north', accessToken: true, userinfo: false }] },
      },
      { id: 'tv', type: 'oidc', oidc: { kind: 'native' } },
      { id: 'export', type: 'oidc', oidc: { kind: 'machine', secrets: [{ secret: SECRET }] } },
      { id: 'expenses', type: 'saml', saml: { metadata } },
      { id: 'audit', type: 'saml', saml: { metadata }, usableBy: { roles: ['SUPER_ADMIN'] } },
    ],
    ...changes,
  } as const;
  return { organisations: [organisation as never] };
}

/**
 * Returns the parts of a response that a client reads: the status, the body without the request ID and without texts
 * for developers, the names of all headers, and the values of those that affect clients.
 */
export async function seen(response: Response) {
  const headers = Object.fromEntries(
    [...response.headers].map(([name, value]) => [name, VALUES.includes(name) && value]),
  );
  const { requestId: _, error_description: __, detail: ___, ...body } = Object(await response.json());
  return { status: response.status, headers, body };
}
const VALUES = ['content-type', 'cache-control', 'location', 'retry-after', 'www-authenticate'];

export const asJson = (body: object, headers = {}): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body),
});
export const asForm = (fields: Record<string, string>): RequestInit => ({
  method: 'POST',
  body: new URLSearchParams(fields),
});
export const bearer = (token: string): RequestInit => ({ headers: { authorization: `Bearer ${token}` } });

/** Replaces values that differ between any two runs, so that only their presence is compared. */
export const shapeOf = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value), (name, one) => (VOLATILE.test(name) && one !== null ? name : one));
const VOLATILE = /^(timestamp|deviceName|suid|exchangeToken|expiresAt|confirmedAt|trustedUntil|registeredDate|.*At)$/;

/** Returns a member's phone as a real authenticator, which signs with the phone's key. */
export async function realPhoneOf({ portal, email }: Pick<Stage, 'portal' | 'email'>) {
  const virtual = (await portal.devices()).find(({ primaryEmail }) => primaryEmail === email);
  const device = virtual && deviceOfVirtual(virtual);
  if (!device) throw new Error(`${email} has no phone.`);
  const authenticator = createAuthenticator({ baseUrl: portal.url, now: machineNow });
  return { device, authenticator };
}

/** Returns the session of the administrator. */
export const asAdmin = async ({ portal }: Stage) => ({ token: (await portal.session({ email: ADMIN })).token });

/** Returns the responses to an access token and a refresh token. */
export async function sessionSeen({ portal }: Stage, { token, refreshToken }: { token: string; refreshToken: string }) {
  const profile = await seen(await fetch(`${portal.url}/api/profile`, bearer(token)));
  return [profile, await seen(await fetch(`${portal.url}/api/refresh`, asJson({ refreshToken })))];
}

/** Fetches a path and returns what a client sees. */
export const ask = async ({ portal }: Stage, path: string, init: RequestInit = {}) =>
  seen(await fetch(portal.url + path, init));

/** Disables a member as an administrator does. */
export const pause = async (stage: Stage, suid = stage.suid) =>
  stage.portal.call(contract.manageUser, { body: { suid, action: 'pause' } }, await asAdmin(stage));
