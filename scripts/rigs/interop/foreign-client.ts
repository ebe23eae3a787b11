import type { Browser, Page } from '@orchestrate/server/testing-api';
import type { Program } from './program.ts';

/** Folders and URL for one run of a client. */
export interface Workspace {
  /** A new folder, readable by all users, because some servers drop their privileges. */
  folder: string;
  /** The client's URL for browsers, e.g. `http://localhost:40123`. */
  url: string;
  port: number;
  /** Folder with the Node programs and their node_modules. */
  nodePrograms: string;
  /** Root folder of the unpacked Debian packages. */
  unpacked: string;
}

export interface DebianPackages {
  debian: readonly string[];
  /**
   * Packages that are only unpacked into a folder, because installing them would change how users sign in to this
   * machine.
   */
  unpacked?: readonly string[];
}

/** Properties that clients of all protocols share. */
interface ForeignClient {
  /** Value for `--client`, and the name of the client's program or folder. */
  name: string;
  /** The client's official name. */
  title: string;
  /**
   * Packages that the client consists of. The displayed version is the first package's, with unpacked packages first.
   */
  from: { npm: readonly string[] } | DebianPackages;
  /** Reasons by flow, for flows that fail because of the client itself. These flows are run anyway and must fail. */
  cannot?: Readonly<Record<string, string>>;
}

/** An application that signs users in with OpenID Connect or OAuth 2.0. */
export interface OidcClient extends ForeignClient {
  protocol: 'OpenID Connect';
  flows: readonly OidcFlow[];
  /** Path of the client's redirect URI. */
  callback: string;
  /** Set for a public client that runs in the browser. */
  kind?: 'single-page';
  /** Starts a sign-in. Opens `/login` by default. */
  signIn?: (browser: Browser, url: string) => Promise<Page>;
  /**
   * Starts the client's program, which returns the signed-in user's email address at `/me`, or 401 without a session.
   */
  start(workspace: Workspace, settings: OidcSettings): Promise<Program>;
}

export interface OidcSettings {
  issuer: string;
  clientId: string;
  clientSecret: string;
}

/** In run order: flows that restart the client come last. */
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
/** Flows for a client that doesn't revoke tokens. */
export const OIDC_FLOWS = ALL_OIDC_FLOWS.filter((flow) => flow !== 'revocation');

/** A service that accepts the portal's access tokens issued to other clients. */
export interface ResourceServer extends ForeignClient {
  protocol: 'Protected resource';
  flows: readonly ResourceFlow[];
  /** Starts the service, which returns the token's subject at `/api`. @param settings of the service's own client */
  start(workspace: Workspace, settings: OidcSettings): Promise<Program>;
}

const RESOURCE_FLOWS = ['accepts a token', 'rejects other tokens', 'rejects a revoked token'] as const;
export type ResourceFlow = (typeof RESOURCE_FLOWS)[number];

/** A program without a browser, which displays a code to enter on another device (RFC 8628). */
export interface DeviceClient extends ForeignClient {
  protocol: 'Device authorization grant';
  flows: readonly DeviceFlow[];
  start(workspace: Workspace, settings: DeviceSettings): Promise<Device>;
}

/** Without a client ID, the client registers itself with the initial access token. */
export type DeviceSettings = { issuer: string } & ({ clientId: string } | { initialToken: string });

export interface Device {
  /** The displayed address and the code to enter there. */
  shown: { address: string; link?: string | undefined; code: string };
  /** The device's complete output: the user's email address and first name, and the refresh result; or the error. */
  written: Promise<string>;
}

/** In run order: the last flow advances the portal's clock. */
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
  /** Path of an API that the client requests access tokens for. */
  api?: string;
  /** Registers the client and starts a sign-in. Opens `/login` by default. */
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
  /** Entity ID. Used with `acs` to create the application before the client's metadata is available. */
  entityId: (url: string) => string;
  acs: string;
  /** Path of the client's metadata. */
  metadata: string;
  start(workspace: Workspace, settings: SamlSettings): Promise<Program>;
}

export interface SamlSettings {
  /** The identity provider's entity ID, which is also its metadata URL. */
  idp: string;
  isSigning: boolean;
  binding: 'redirect' | 'post';
  /** Type of the service provider's key, stored in the folder as `key.pem` and `certificate.pem`. */
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
/** Flows for a service provider that only supports RSA keys. */
export const RSA_FLOWS = SAML_FLOWS.filter((flow) => flow !== 'EC key');

/** A SCIM program: a service that the portal provisions users to, or a client that reads from the portal. */
export interface ScimClient extends ForeignClient {
  protocol: 'SCIM 2.0';
  flows: readonly ScimFlow[];
  /** Path of the program's SCIM service. */
  service: string;
  start(workspace: Workspace, settings: ScimSettings): Promise<Program>;
}

/** Address and credentials of the portal's SCIM service, which the client reads. */
export interface ScimSettings {
  endpoint: string;
  username: string;
  password: string;
  /** Bearer token, as an alternative to username and password. */
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

/** A command that signs in users or looks them up, without a browser. */
export interface NetworkClient extends ForeignClient {
  protocol: 'RADIUS and LDAP';
  flows: readonly NetworkFlow[];
  type: 'radius' | 'ldap';
  /** Runs the command once. @returns the command's output */
  signIn(settings: NetworkSettings): Promise<string>;
  /** Matches the output of a successful sign-in. */
  succeeds: RegExp;
  /** Looks up the user with the application's account. */
  search?(settings: NetworkSettings): Promise<string>;
  /** Matches the output of a successful search. Default: a line of LDIF with the address. */
  finds?: RegExp;
}

export interface NetworkSettings {
  workspace: Workspace;
  port: number;
  secret: string;
  /** The user's email address. */
  email: string;
  /** Base DN, for LDAP only. */
  baseDn: string;
  bindDn: string;
  /** LDAPS port. */
  tlsPort: number;
  /** Path to the CA certificate. */
  ca: string;
}

export const NETWORK_FLOWS = ['sign-in', 'denied on the phone', 'wrong secret', 'search'] as const;
export type NetworkFlow = (typeof NETWORK_FLOWS)[number];

/** A test suite that controls the portal over HTTP. */
export interface SuiteClient extends ForeignClient {
  protocol: 'Test suite';
  flows: readonly SuiteFlow[];
  /** Runs the suite once. @param url origin of the portal @returns its output, a line per flow: `name: result` */
  run(url: string): Promise<string>;
}

export const SUITE_FLOWS = [
  'sign-in',
  'denied on the phone',
  'fault',
  'verified',
  'tokens',
  'clock',
  'misspelt',
] as const;
export type SuiteFlow = (typeof SUITE_FLOWS)[number];

export type AnyClient =
  | OidcClient
  | ResourceServer
  | DeviceClient
  | RegisteringClient
  | SamlClient
  | ScimClient
  | NetworkClient
  | SuiteClient;

/** Flows by protocol, in column order. */
export const FLOWS = {
  'OpenID Connect': ALL_OIDC_FLOWS,
  'Protected resource': RESOURCE_FLOWS,
  'Device authorization grant': DEVICE_FLOWS,
  'Dynamic client registration': REGISTRATION_FLOWS,
  'SAML 2.0': SAML_FLOWS,
  'SCIM 2.0': SCIM_FLOWS,
  'RADIUS and LDAP': NETWORK_FLOWS,
  'Test suite': SUITE_FLOWS,
} as const;

/** Outcome of one flow. */
export type Outcome = { result: 'passed' } | { result: 'failed' | 'cannot' | 'not run'; why: string };

/** A client's results. */
export interface ClientResult {
  client: AnyClient;
  /** Version of the client's first package. Absent if it couldn't be installed. */
  version?: string;
  /** Outcomes by flow, in the client's flow order. */
  outcomes: ReadonlyMap<string, Outcome>;
}
