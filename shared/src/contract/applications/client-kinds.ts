import { z } from 'zod';

/**
 * What an OpenID Connect application is (RFC 6749 §2.1, RFC 8252): `web` runs on a server and `machine` is a service of
 * its own, so both can keep a secret; `single-page` runs in the browser and `native` on the person's own device, so
 * neither can.
 */
export const clientKind = z.enum(['web', 'single-page', 'native', 'machine']);
export type ClientKind = z.output<typeof clientKind>;

/** Kinds without a secret: what is handed to everybody who runs the program is none (RFC 8252 §8.5). */
export const isPublicKind = (kind: ClientKind): boolean => kind === 'single-page' || kind === 'native';

/** Whether people sign in to it: a machine acts for nobody but itself. */
export const hasSignIn = (kind: ClientKind): boolean => kind !== 'machine';

/** RFC 8628 §3.4. */
export const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code';

/**
 * How an application gets its tokens (RFC 6749 §4). Only a native one may run where there is no browser, and so needs
 * no address to come back to (RFC 8628).
 */
export function grantsOf(kind: ClientKind, redirectUris: readonly string[]): string[] {
  if (kind === 'machine') return ['client_credentials'];
  return [
    ...(hasCallback(kind, redirectUris) ? ['authorization_code'] : []),
    ...(kind === 'native' ? [DEVICE_GRANT] : []),
  ];
}

/** Whether a browser comes back to it from a sign-in. */
export const hasCallback = (kind: ClientKind, redirectUris: readonly string[]): boolean =>
  hasSignIn(kind) && redirectUris.length > 0;

/** Whether it cannot do without an address. */
export const needsAddress = (kind: ClientKind): boolean => hasSignIn(kind) && kind !== 'native';

/** The kind of a client of which it is only known that it is public, by the addresses that it has. */
export const publicKindOf = (redirectUris: readonly string[]): ClientKind =>
  redirectUris.some((address) => !/^(?:https?:|\/)/i.test(address)) ? 'native' : 'single-page';

const THIS_MACHINE = /^http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost)(?::\d+)?(?=[/?]|$)/i;

/** Whether an address is on the person's own machine, where a program listens (RFC 8252 §7.3). */
export const isLoopback = (address: string): boolean => THIS_MACHINE.test(address);

/**
 * Whether what is sent to an address can be read on the way there: http, but not on this machine (RFC 9700 §2.6). As
 * browsers read it: they ignore tabs and line breaks anywhere, also within `http`.
 */
export const isUnencrypted = (address: string): boolean =>
  URL.parse(address)?.protocol === 'http:' && !isLoopback(address);

/** An address of the person's own machine without its port, if it is one as browsers write it; any other unchanged. */
export const withoutLoopbackPort = (address: string): string =>
  address.replace(THIS_MACHINE, (origin) => origin.replace(/:[1-9]\d{0,4}$/, ''));

/** Why an application of this kind cannot have this address; undefined where it can. */
export function addressProblem(kind: ClientKind, address: string): string | undefined {
  if (kind === 'machine') return 'Machines have no sign-in: it has no addresses';
  if (kind === 'single-page' && !/^https?:/i.test(address)) {
    return 'Single-page applications run in the browser: use https or http, not a custom scheme.';
  }
  // RFC 8252 §7: a private-use scheme, an https address claimed by the app, or a port of this machine.
  if (kind === 'native' && isUnencrypted(address)) {
    return 'Native applications must use https, their own scheme, or http on 127.0.0.1, [::1] or localhost';
  }
  return undefined;
}
