import { z } from 'zod';

/**
 * Kinds of OpenID Connect applications (RFC 6749 §2.1, RFC 8252): `web` runs on a server and `machine` is a service
 * client, so both can keep a secret; `single-page` runs in the browser and `native` on the user's own device, so
 * neither can.
 */
export const clientKind = z.enum(['web', 'single-page', 'native', 'machine']);
export type ClientKind = z.output<typeof clientKind>;

/** Returns whether a kind has no secret: a secret in a program that all users get isn't one (RFC 8252 §8.5). */
export const isPublicKind = (kind: ClientKind): boolean => kind === 'single-page' || kind === 'native';

/** Returns whether people sign in to it: a service client acts only for itself. */
export const hasSignIn = (kind: ClientKind): boolean => kind !== 'machine';

/** RFC 8628 §3.4. */
export const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code';

/**
 * Returns the grants of an application (RFC 6749 §4). Only native ones can run without a browser, and so without a
 * redirect URI (RFC 8628).
 */
export function grantsOf(kind: ClientKind, redirectUris: readonly string[]): string[] {
  if (kind === 'machine') return ['client_credentials'];
  return [
    ...(hasCallback(kind, redirectUris) ? ['authorization_code'] : []),
    ...(kind === 'native' ? [DEVICE_GRANT] : []),
  ];
}

/** Returns whether a browser returns to it after a sign-in. */
export const hasCallback = (kind: ClientKind, redirectUris: readonly string[]): boolean =>
  hasSignIn(kind) && redirectUris.length > 0;

/** Returns whether it needs a redirect URI. */
export const needsAddress = (kind: ClientKind): boolean => hasSignIn(kind) && kind !== 'native';

/** Returns the kind of a public client, inferred from its redirect URIs. */
export const publicKindOf = (redirectUris: readonly string[]): ClientKind =>
  redirectUris.some((address) => !/^(?:https?:|\/)/i.test(address)) ? 'native' : 'single-page';

const THIS_MACHINE = /^http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost)(?::\d+)?(?=[/?]|$)/i;

/** Returns whether a URL is on the user's own machine, where a program listens (RFC 8252 §7.3). */
export const isLoopback = (address: string): boolean => THIS_MACHINE.test(address);

/**
 * Returns whether traffic to a URL can be read on the network: http, except to this machine (RFC 9700 §2.6). Parsed
 * like in browsers, which ignore tabs and line breaks anywhere, even within `http`.
 */
export const isUnencrypted = (address: string): boolean =>
  URL.parse(address)?.protocol === 'http:' && !isLoopback(address);

/** Removes the port of a loopback URL, if it is in normal form; returns any other URL unchanged. */
export const withoutLoopbackPort = (address: string): string =>
  address.replace(THIS_MACHINE, (origin) => origin.replace(/:[1-9]\d{0,4}$/, ''));

/** Returns why an application of this kind cannot have this redirect URI, or undefined if it can. */
export function addressProblem(kind: ClientKind, address: string): string | undefined {
  if (kind === 'machine') return 'Service clients have no redirect URIs';
  if (kind === 'single-page' && !/^https?:/i.test(address)) {
    return 'Single-page applications run in the browser: use https or http, not a custom scheme';
  }
  // RFC 8252 §7: a private-use scheme, an https URL claimed by the app, or a port of this machine.
  if (kind === 'native' && isUnencrypted(address)) {
    return 'Native applications must use https, their own scheme, or http on 127.0.0.1, [::1] or localhost';
  }
  return undefined;
}
