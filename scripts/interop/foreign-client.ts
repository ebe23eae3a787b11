import type { Browser, Page } from '@orchestrate/server/double';
import type { Program } from './program.ts';

/** Where and for whom a client runs. */
export interface Place {
  /** An empty folder of this run, which others may read: some servers give up their rights. */
  folder: string;
  /** Where people reach the client, e.g. `http://localhost:40123`. */
  url: string;
  port: number;
  /** Where the programs for Node are, beside what npm has installed for them. */
  nodePrograms: string;
}

/** What can be done at a client, beyond what its protocol says. */
interface ForeignClient {
  /** For `--client`, and the name of its program or folder. */
  name: string;
  /** As its makers write it. */
  title: string;
  /** Where it comes from. The version that is shown is that of the first package. */
  from: { npm: readonly string[] } | { debian: readonly string[] };
  /** What fails through its own fault, by flow, with the reason. It is tried, and has to fail. */
  cannot?: Readonly<Record<string, string>>;
}

/** An application whose people sign in by OpenID Connect or OAuth 2.0. */
export interface OidcClient extends ForeignClient {
  protocol: 'OpenID Connect';
  /** What it does; everything else it does not have. */
  flows: readonly OidcFlow[];
  /** Path of its redirect address. */
  callback: string;
  /** Begins a sign-in; by default `/login` is opened. */
  signIn?: (browser: Browser, url: string) => Promise<Page>;
  /** Its programs answer at `/me` with the e-mail address, or with 401. */
  start(place: Place, settings: OidcSettings): Promise<Program>;
}

export interface OidcSettings {
  issuer: string;
  clientId: string;
  clientSecret: string;
}

/** In the order in which they are tried: those last for which the client is started again. */
export const OIDC_FLOWS = [
  'sign-in',
  'PKCE',
  'denied on the phone',
  'access_denied',
  'damaged ID token',
  'userinfo',
  'refresh',
  'logout',
  'wrong secret',
] as const;
export type OidcFlow = (typeof OIDC_FLOWS)[number];

/** A service provider. */
export interface SamlClient extends ForeignClient {
  protocol: 'SAML 2.0';
  flows: readonly SamlFlow[];
  /** Its entity id and its assertion consumer service, for the application that is there before its metadata are. */
  entityId: (url: string) => string;
  acs: string;
  /** Path of the metadata that it makes itself. */
  metadata: string;
  start(place: Place, settings: SamlSettings): Promise<Program>;
}

export interface SamlSettings {
  /** The identity provider's entity id, where its metadata are. */
  idp: string;
  isSigning: boolean;
  binding: 'redirect' | 'post';
  /** PEM, of the service provider; also in the folder as `key.pem` and `certificate.pem`. */
  keyType: 'rsa' | 'ec';
  keys: { privateKey: string; certificate: string };
}

export const SAML_FLOWS = [
  'sign-in',
  'begun at the portal',
  'denied on the phone',
  'RequestDenied',
  'damaged answer',
  'logout',
  'signed request',
  'request by POST',
  'EC key',
] as const;
export type SamlFlow = (typeof SAML_FLOWS)[number];
/** Of a service provider that signs with RSA keys only. */
export const RSA_FLOWS = SAML_FLOWS.filter((flow) => flow !== 'EC key');

/** A program that keeps people, and is told of them by the portal, or asks it. */
export interface ScimClient extends ForeignClient {
  protocol: 'SCIM 2.0';
  flows: readonly ScimFlow[];
  /** Where a directory reaches its service, below its address. */
  service: string;
  start(place: Place, settings: ScimSettings): Promise<Program>;
}

/** The portal's own service, which the client reads. */
export interface ScimSettings {
  endpoint: string;
  username: string;
  password: string;
  /** In place of user name and password. */
  token: string;
}

export const SCIM_FLOWS = [
  'reads our people',
  'makes a group of them',
  'reads them by a token',
  'told by Okta',
  'told by Entra',
] as const;
export type ScimFlow = (typeof SCIM_FLOWS)[number];

/** A command with which people sign in, or are looked up, where there is no browser. */
export interface NetworkClient extends ForeignClient {
  protocol: 'RADIUS and LDAP';
  flows: readonly NetworkFlow[];
  type: 'radius' | 'ldap';
  /** Runs it once. @returns what it has written */
  signIn(settings: NetworkSettings): Promise<string>;
  /** What it writes where the person is in. */
  succeeds: RegExp;
  search?(settings: NetworkSettings): Promise<string>;
}

export interface NetworkSettings {
  port: number;
  secret: string;
  /** Who signs in. */
  email: string;
  /** LDAP only. */
  baseDn: string;
  bindDn: string;
}

export const NETWORK_FLOWS = ['sign-in', 'denied on the phone', 'wrong secret', 'search'] as const;
export type NetworkFlow = (typeof NETWORK_FLOWS)[number];

export type AnyClient = OidcClient | SamlClient | ScimClient | NetworkClient;

/** What is tried by protocol, in the order of the columns. */
export const FLOWS = {
  'OpenID Connect': OIDC_FLOWS,
  'SAML 2.0': SAML_FLOWS,
  'SCIM 2.0': SCIM_FLOWS,
  'RADIUS and LDAP': NETWORK_FLOWS,
} as const;
