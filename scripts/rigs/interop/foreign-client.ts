import type { Browser, Page } from '@orchestrate/server/testing-api';
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
  /** The root of what is only unpacked. */
  unpacked: string;
}

export interface DebianPackages {
  debian: readonly string[];
  /** Those whose installation would change how people sign in to the machine: they are only unpacked, into a folder. */
  unpacked?: readonly string[];
}

/** What can be done at a client, beyond what its protocol says. */
interface ForeignClient {
  /** For `--client`, and the name of its program or folder. */
  name: string;
  /** As its makers write it. */
  title: string;
  /**
   * Where it comes from. The version that is shown is that of the first package, of those that are unpacked before the
   * others.
   */
  from: { npm: readonly string[] } | DebianPackages;
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
  /** Set for a program in a page, which keeps no secret. */
  kind?: 'single-page';
  /** Begins a sign-in; by default `/login` is opened. */
  signIn?: (browser: Browser, url: string) => Promise<Page>;
  /** Its programs answer at `/me` with the email address, or with 401. */
  start(place: Place, settings: OidcSettings): Promise<Program>;
}

export interface OidcSettings {
  issuer: string;
  clientId: string;
  clientSecret: string;
}

/** In the order in which they are tried: those last for which the client is started again. */
const ALL_OIDC_FLOWS = [
  'sign-in',
  'PKCE',
  'denied on the phone',
  'access_denied',
  'damaged ID token',
  'userinfo',
  'refresh',
  'revocation',
  'logout',
  'wrong secret',
] as const;
export type OidcFlow = (typeof ALL_OIDC_FLOWS)[number];
/** Of a client that revokes no tokens. */
export const OIDC_FLOWS = ALL_OIDC_FLOWS.filter((flow) => flow !== 'revocation');

/** A service to which others bring access tokens that the portal has issued. */
export interface ResourceServer extends ForeignClient {
  protocol: 'Protected resource';
  flows: readonly ResourceFlow[];
  /** It answers at `/api` with the id of the caller, as the token has it. @param settings of its own client */
  start(place: Place, settings: OidcSettings): Promise<Program>;
}

const RESOURCE_FLOWS = ['accepts a token', 'refuses other tokens', 'refuses a revoked token'] as const;
export type ResourceFlow = (typeof RESOURCE_FLOWS)[number];

/** A program without a browser, which shows a code instead (RFC 8628). */
export interface DeviceClient extends ForeignClient {
  protocol: 'Device authorization grant';
  flows: readonly DeviceFlow[];
  /** Begins a sign-in. */
  start(place: Place, settings: DeviceSettings): Promise<Device>;
}

/** Without a client id it registers itself, with the initial access token. */
export type DeviceSettings = { issuer: string } & ({ clientId: string } | { initialToken: string });

export interface Device {
  /** What it shows: the address and the code that is entered there. */
  shown: { address: string; link?: string | undefined; code: string };
  /**
   * What it has written when it has ended: who signed in, with the first name, and that it has refreshed; or what was
   * refused.
   */
  written: Promise<string>;
}

/** In the order in which they are tried: the last one moves the portal's clock. */
export const DEVICE_FLOWS = [
  'sign-in',
  'link',
  'denied on the page',
  'userinfo',
  'refresh',
  'registers itself',
  'expired code',
] as const;
export type DeviceFlow = (typeof DEVICE_FLOWS)[number];

/** A client that nobody has made an application for: it does so itself, by an initial access token (RFC 7591). */
export interface RegisteringClient extends ForeignClient {
  protocol: 'Dynamic client registration';
  flows: readonly RegistrationFlow[];
  /** Path of an API for which it wants its access tokens. */
  api?: string;
  /** Begins a sign-in, before which it registers; by default `/login` is opened. */
  signIn?: (browser: Browser, url: string, issuer: string) => Promise<Page>;
  start(place: Place, settings: RegistrationSettings): Promise<Program>;
}

export interface RegistrationSettings {
  issuer: string;
  initialToken: string;
}

const REGISTRATION_FLOWS = [
  'registers and signs in',
  'registers once',
  'refresh',
  'removes itself',
  'wrong token',
] as const;
export type RegistrationFlow = (typeof REGISTRATION_FLOWS)[number];

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

/** A program that keeps people: the portal sends them to it, or it asks the portal for them. */
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
  /** Looks the person up as the account of the application. */
  search?(settings: NetworkSettings): Promise<string>;
  /** What it then writes; a line of LDIF with the address unless given. */
  finds?: RegExp;
}

export interface NetworkSettings {
  place: Place;
  port: number;
  secret: string;
  /** Who signs in. */
  email: string;
  /** LDAP only. */
  baseDn: string;
  bindDn: string;
  /** The port of LDAPS. */
  tlsPort: number;
  /** File of the authority that signed the certificate. */
  ca: string;
}

export const NETWORK_FLOWS = ['sign-in', 'denied on the phone', 'wrong secret', 'search'] as const;
export type NetworkFlow = (typeof NETWORK_FLOWS)[number];

export type AnyClient =
  | OidcClient
  | ResourceServer
  | DeviceClient
  | RegisteringClient
  | SamlClient
  | ScimClient
  | NetworkClient;

/** What is tried by protocol, in the order of the columns. */
export const FLOWS = {
  'OpenID Connect': ALL_OIDC_FLOWS,
  'Protected resource': RESOURCE_FLOWS,
  'Device authorization grant': DEVICE_FLOWS,
  'Dynamic client registration': REGISTRATION_FLOWS,
  'SAML 2.0': SAML_FLOWS,
  'SCIM 2.0': SCIM_FLOWS,
  'RADIUS and LDAP': NETWORK_FLOWS,
} as const;
