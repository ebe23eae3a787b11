import type { Browser, Page } from '@orchestrate/server/testing-api';
import type { Program } from './program.ts';

/** Folders and address for one run of a client. */
export interface Workspace {
  /** A new folder, readable by all users, because some servers drop their privileges. */
  folder: string;
  /** URL of the client for browsers, e.g. `http://localhost:40123`. */
  url: string;
  port: number;
  /** Folder of the Node programs with their node_modules. */
  nodePrograms: string;
  /** Root folder of unpacked Debian packages. */
  unpacked: string;
}

export interface DebianPackages {
  debian: readonly string[];
  /** Packages that are only unpacked into a folder, because installing them would change the machine's own sign-in. */
  unpacked?: readonly string[];
}

/** Properties of clients of all protocols. */
interface ForeignClient {
  /** Name for `--client`, and of its program or folder. */
  name: string;
  /** The client's official name. */
  title: string;
  /**
   * Its packages. The displayed version is that of the first package, with unpacked packages first.
   */
  from: { npm: readonly string[] } | DebianPackages;
  /** Reasons for flows that fail because of the client itself. They are run anyway and must fail. */
  cannot?: Readonly<Record<string, string>>;
}

/** An application that uses OpenID Connect or OAuth 2.0. */
export interface OidcClient extends ForeignClient {
  protocol: 'OpenID Connect';
  /** Supported flows. */
  flows: readonly OidcFlow[];
  /** Path of its redirect URI. */
  callback: string;
  /** Set for a public client in a page. */
  kind?: 'single-page';
  /** Starts a sign-in; opens `/login` by default. */
  signIn?: (browser: Browser, url: string) => Promise<Page>;
  /** Starts its program, which returns the email address or 401 at `/me`. */
  start(workspace: Workspace, settings: OidcSettings): Promise<Program>;
}

export interface OidcSettings {
  issuer: string;
  clientId: string;
  clientSecret: string;
}

/** In the order of the run: flows that restart the client come last. */
const ALL_OIDC_FLOWS = [
  'sign-in',
  'PKCE',
  'denied on the phone',
  'access_denied',
  'invalid ID token',
  'userinfo',
  'refresh',
  'revocation',
  'logout',
  'wrong secret',
] as const;
export type OidcFlow = (typeof ALL_OIDC_FLOWS)[number];
/** Flows of a client that doesn't revoke tokens. */
export const OIDC_FLOWS = ALL_OIDC_FLOWS.filter((flow) => flow !== 'revocation');

/** A service that accepts the portal's access tokens from other clients. */
export interface ResourceServer extends ForeignClient {
  protocol: 'Protected resource';
  flows: readonly ResourceFlow[];
  /** Starts it; it returns the token's subject at `/api`. @param settings of its own client */
  start(workspace: Workspace, settings: OidcSettings): Promise<Program>;
}

const RESOURCE_FLOWS = ['accepts a token', 'rejects other tokens', 'rejects a revoked token'] as const;
export type ResourceFlow = (typeof RESOURCE_FLOWS)[number];

/** A program without a browser, which displays a code instead (RFC 8628). */
export interface DeviceClient extends ForeignClient {
  protocol: 'Device authorization grant';
  flows: readonly DeviceFlow[];
  /** Starts a sign-in. */
  start(workspace: Workspace, settings: DeviceSettings): Promise<Device>;
}

/** Without a client id, it registers itself with the initial access token. */
export type DeviceSettings = { issuer: string } & ({ clientId: string } | { initialToken: string });

export interface Device {
  /** The displayed address, and the code to enter there. */
  shown: { address: string; link?: string | undefined; code: string };
  /**
   * Its complete output: the user with first name and the refresh, or the error.
   */
  written: Promise<string>;
}

/** In the order of the run: the last one advances the portal's clock. */
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

/** A client that registers its application with an initial access token (RFC 7591). */
export interface RegisteringClient extends ForeignClient {
  protocol: 'Dynamic client registration';
  flows: readonly RegistrationFlow[];
  /** Path of an API for which it requests access tokens. */
  api?: string;
  /** Starts a sign-in, for which it registers first; opens `/login` by default. */
  signIn?: (browser: Browser, url: string, issuer: string) => Promise<Page>;
  start(workspace: Workspace, settings: RegistrationSettings): Promise<Program>;
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

/** A SAML service provider. */
export interface SamlClient extends ForeignClient {
  protocol: 'SAML 2.0';
  flows: readonly SamlFlow[];
  /** Its entity id and assertion consumer service, for the application before its metadata are available. */
  entityId: (url: string) => string;
  acs: string;
  /** Path of its metadata. */
  metadata: string;
  start(workspace: Workspace, settings: SamlSettings): Promise<Program>;
}

export interface SamlSettings {
  /** Entity id of the identity provider, which is also the URL of its metadata. */
  idp: string;
  isSigning: boolean;
  binding: 'redirect' | 'post';
  /** Type of the service provider's key, which is in the folder as `key.pem` and `certificate.pem`. */
  keyType: 'rsa' | 'ec';
  keys: { privateKey: string; certificate: string };
}

export const SAML_FLOWS = [
  'sign-in',
  'started at the portal',
  'denied on the phone',
  'RequestDenied',
  'invalid response',
  'logout',
  'signed request',
  'request by POST',
  'EC key',
] as const;
export type SamlFlow = (typeof SAML_FLOWS)[number];
/** Flows of a service provider that only supports RSA keys. */
export const RSA_FLOWS = SAML_FLOWS.filter((flow) => flow !== 'EC key');

/** A SCIM program: a service that the portal provisions, or a client that reads from the portal. */
export interface ScimClient extends ForeignClient {
  protocol: 'SCIM 2.0';
  flows: readonly ScimFlow[];
  /** Path of its SCIM service. */
  service: string;
  start(workspace: Workspace, settings: ScimSettings): Promise<Program>;
}

/** The portal's SCIM service, which the client reads. */
export interface ScimSettings {
  endpoint: string;
  username: string;
  password: string;
  /** Bearer token, an alternative to username and password. */
  token: string;
}

export const SCIM_FLOWS = [
  'reads members',
  'creates a group',
  'reads by bearer token',
  'provisioned by Okta',
  'provisioned by Entra',
] as const;
export type ScimFlow = (typeof SCIM_FLOWS)[number];

/** A command that signs users in or looks them up without a browser. */
export interface NetworkClient extends ForeignClient {
  protocol: 'RADIUS and LDAP';
  flows: readonly NetworkFlow[];
  type: 'radius' | 'ldap';
  /** Runs it once. @returns its output */
  signIn(settings: NetworkSettings): Promise<string>;
  /** Output of a successful sign-in. */
  succeeds: RegExp;
  /** Looks the user up with the application's account. */
  search?(settings: NetworkSettings): Promise<string>;
  /** Output of a successful search; by default a line of LDIF with the address. */
  finds?: RegExp;
}

export interface NetworkSettings {
  workspace: Workspace;
  port: number;
  secret: string;
  /** Email address of the user. */
  email: string;
  /** Base DN; only for LDAP. */
  baseDn: string;
  bindDn: string;
  /** Port for LDAPS. */
  tlsPort: number;
  /** Path of the CA certificate. */
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

/** Flows by protocol, in the order of the columns. */
export const FLOWS = {
  'OpenID Connect': ALL_OIDC_FLOWS,
  'Protected resource': RESOURCE_FLOWS,
  'Device authorization grant': DEVICE_FLOWS,
  'Dynamic client registration': REGISTRATION_FLOWS,
  'SAML 2.0': SAML_FLOWS,
  'SCIM 2.0': SCIM_FLOWS,
  'RADIUS and LDAP': NETWORK_FLOWS,
} as const;

/** Outcome of a client's flow. */
export type Outcome = { result: 'passed' } | { result: 'failed' | 'cannot' | 'not run'; why: string };

/** Results of a client. */
export interface ClientResult {
  client: AnyClient;
  /** Version of its first package; absent if it couldn't be installed. */
  version?: string;
  /** Outcomes by flow, in the order of the client's flows. */
  outcomes: ReadonlyMap<string, Outcome>;
}
