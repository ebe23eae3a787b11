import { z } from 'zod';

/**
 * Kinds of OpenID Connect applications (RFC 6749 §2.1, RFC 8252). `web` runs on a server and `machine` is a service
 * client, so both can keep a secret. `single-page` runs in the browser and `native` on the user's own device, so
 * neither can keep a secret.
 */
export const clientKind = z.enum(['web', 'single-page', 'native', 'machine']);
export type ClientKind = z.output<typeof clientKind>;

/** Returns true if clients of this kind have no secret. A secret shipped to all users isn't secret (RFC 8252 §8.5). */
export const isPublicKind = (kind: ClientKind): boolean => kind === 'single-page' || kind === 'native';

/** Returns true if people sign in to this kind of client. A service client acts only for itself. */
export const hasSignIn = (kind: ClientKind): boolean => kind !== 'machine';

/** RFC 8628 §3.4. */
export const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code';

/** RFC 8693 §2.1. */
export const TOKEN_EXCHANGE_GRANT = 'urn:ietf:params:oauth:grant-type:token-exchange';

/**
 * Returns an application's grants (RFC 6749 §4). Only native applications can run without a browser and therefore
 * without a redirect URI (RFC 8628).
 */
export function grantsOf({
  kind,
  redirectUris,
  tokenExchange,
}: {
  kind: ClientKind;
  redirectUris: readonly string[];
  tokenExchange: boolean;
}): string[] {
  return [
    ...(kind === 'machine' ? ['client_credentials'] : []),
    ...(hasCallback(kind, redirectUris) ? ['authorization_code'] : []),
    ...(kind === 'native' ? [DEVICE_GRANT] : []),
    ...(tokenExchange ? [TOKEN_EXCHANGE_GRANT] : []),
  ];
}

/** Returns why this kind of application can't have this token setting, or undefined if it can. */
export function tokenSettingProblem(
  kind: ClientKind,
  setting: 'rotateRefreshTokens' | 'tokenExchange',
  value: boolean,
): string | undefined {
  if (setting === 'tokenExchange') {
    return value && isPublicKind(kind)
      ? 'Public clients cannot authenticate, so they cannot exchange tokens (RFC 8693 §2.1)'
      : undefined;
  }
  if (value) return undefined;
  if (!hasSignIn(kind)) return 'Service clients have no refresh tokens';
  return isPublicKind(kind) ? 'Public clients must rotate refresh tokens (RFC 9700 §2.2.2)' : undefined;
}

/** Returns true if the browser returns to this application after a sign-in. */
export const hasCallback = (kind: ClientKind, redirectUris: readonly string[]): boolean =>
  hasSignIn(kind) && redirectUris.length > 0;

/** Returns true if this kind of application needs a redirect URI. */
export const needsAddress = (kind: ClientKind): boolean => hasSignIn(kind) && kind !== 'native';

/** Infers the kind of a public client from its redirect URIs. */
export const publicKindOf = (redirectUris: readonly string[]): ClientKind =>
  redirectUris.some((address) => !/^(?:https?:|\/)/i.test(address)) ? 'native' : 'single-page';

const THIS_MACHINE = /^http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost)(?::\d+)?(?=[/?]|$)/i;

/** Returns true if a URL is on the user's own machine, where a local program can listen (RFC 8252 §7.3). */
export const isLoopback = (address: string): boolean => THIS_MACHINE.test(address);

/**
 * Returns true if traffic to a URL can be read on the network, as with http unless the URL is on this machine (RFC
 * 9700 §2.6). Parses URLs as browsers do, ignoring tabs and line breaks anywhere, even within `http`.
 */
export const isUnencrypted = (address: string): boolean =>
  URL.parse(address)?.protocol === 'http:' && !isLoopback(address);

/** Removes the port from a normalised loopback URL. Returns any other URL unchanged. */
export const withoutLoopbackPort = (address: string): string =>
  address.replace(THIS_MACHINE, (origin) => origin.replace(/:[1-9]\d{0,4}$/, ''));

/** Returns why this kind of application can't have this redirect URI, or undefined if it can. */
export function addressProblem(kind: ClientKind, address: string): string | undefined {
  if (kind === 'machine') return 'Service clients have no redirect URIs';
  if (kind === 'single-page' && !/^https?:/i.test(address)) {
    return 'Single-page applications run in the browser. Use https or http instead of a custom scheme';
  }
  // RFC 8252 §7 allows a private-use scheme, an https URL claimed by the app, or a port on this machine.
  if (kind === 'native' && isUnencrypted(address)) {
    return 'Native applications must use https, their own scheme, or http on 127.0.0.1, [::1] or localhost';
  }
  return undefined;
}
