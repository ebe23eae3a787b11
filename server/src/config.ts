import { SECRETS_KEY_PATTERN, type Seed } from '@orchestrate/db';
import { HEADER_VALUE } from '@orchestrate/shared';
import { z } from 'zod';
import { coversAllAddresses, normaliseIpRange } from './platform/ip-range.ts';
import { misspeltSettings, unknownSettingMessage } from './platform/misspelt-settings.ts';
import { nearest } from './platform/nearest.ts';

/** The server's configuration (contract §1), read once on startup. */
export interface Config {
  /** TCP port. 0 = any free port. */
  port: number;
  host: string;
  /** Origin for browsers, without a trailing slash. null = derived from host and port after listening. */
  publicUrl: string | null;
  /** Origin for server-to-server calls, without a trailing slash. null = `publicUrl`. */
  backchannelUrl: string | null;
  /** True if the portal serves HTTPS. */
  tls: boolean;
  /** PEM files of the certificate for HTTPS and LDAPS and of its key. null = created on startup. */
  tlsFiles: { cert: string; key: string } | null;
  /** Addresses and networks of the proxies in front of the portal. Their `X-Forwarded-For` headers are trusted. */
  trustedProxies: readonly string[];
  /** Additional origins whose pages can call the portal from a browser. */
  corsOrigins: readonly string[];
  /** Path to the SQLite file, or `:memory:`. */
  databaseFile: string;
  /**
   * Key that encrypts the secrets in the database: 32 bytes in hexadecimal or base64. null = read from a file next to
   * the database.
   */
  secretsKey: string | null;
  /** The previous `secretsKey`. On startup, secrets encrypted with it are re-encrypted with the current key. */
  secretsKeyPrevious: string | null;
  /** Initial database contents, also used after a reset. */
  seed: Seed;
  /** World file named in `SEED`, if any. `withWorldFile` reads this file. */
  seedFile: string | null;
  /** True if `SEED` was set explicitly. */
  isSeedGiven: boolean;
  smtpUrl: string | null;
  /** Sender of emails. null = `no-reply` at the public URL's host. */
  mailFrom: string | null;
  lab: boolean;
  /** Lab token. `AUTO_LAB_TOKEN` until the startup code replaces it with the stored token. */
  labToken: string | null;
  /** True in disaster recovery mode, in which the portal refuses uploads. */
  drMode: boolean;
  /** True if user-supplied URLs can point to private networks, e.g. to an OpenID provider behind the same firewall. */
  allowPrivateNetworks: boolean;
  logLevel: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent';
  /** Public write requests per minute and address. 0 = no limit. */
  rateLimit: number;
  /** Audit trail retention, in days. 0 = unlimited. */
  auditDays: number;
  /**
   * Seconds within which a request's headers and body must arrive. Uploads that maintain a minimum rate may take
   * longer.
   */
  requestSeconds: number;
  /**
   * First and last UDP port for RADIUS, one port per organisation (decision 173). `[0, 0]` = any free ports; null =
   * off.
   */
  radiusPorts: readonly [number, number] | null;
  /** TCP port for LDAP without TLS. 0 = any free port; null = off. */
  ldapPort: number | null;
  ldapsPort: number | null;
  /**
   * Prefix for cookie names. Keeps portals on one host apart, because browsers share cookies between all ports of a
   * host.
   */
  cookiePrefix: string;
  /** First and last port for spaces. null = any free ports. */
  spacePorts: readonly [number, number] | null;
  /** True in production. Otherwise, responses and result codes that break the contract are treated as defects. */
  isProduction: boolean;
  /** True if `NODE_ENV=production` was set explicitly. In that case a closed lab prevents startup. */
  isDeclaredProduction: boolean;
}

/** Value of `LAB_TOKEN` that makes the portal generate the token and print it on startup. */
export const AUTO_LAB_TOKEN = 'auto';
export const LAB_TOKEN_MIN_LENGTH = 8;
const LAB_TOKEN_COMPLAINT = `must be "${AUTO_LAB_TOKEN}" or have at least ${LAB_TOKEN_MIN_LENGTH} characters`;

/** Thrown for an invalid configuration. The message is a single line for the operator. */
export class ConfigInvalid extends Error {}

const flag = (on: string, off: string, fallback: string) =>
  z
    .enum([on, off], `must be "${on}" or "${off}"`)
    .default(fallback)
    .transform((value) => value === on);

const wholeNumber = (min: number, max: number, fallback: number) => {
  const error = `must be a whole number from ${min} to ${max}`;
  return z
    .string()
    .regex(/^\d{1,9}$/, error)
    .transform(Number)
    .pipe(z.number().min(min, error).max(max, error))
    .default(fallback);
};

const optionalPort = () =>
  z
    .string()
    .regex(/^\d{1,5}$/, 'must be a whole number from 0 to 65535')
    .transform(Number)
    .pipe(z.number().max(65_535, 'must be a whole number from 0 to 65535'))
    .nullable()
    .default(null);

const address = (protocol: RegExp, worded: string) =>
  z
    .url({ protocol, hostname: /./, error: `must be ${worded}` })
    .nullable()
    .default(null);

const originOf = () =>
  address(/^https?$/, 'an http or https address').transform((url) => url && (URL.parse(url)?.origin ?? null));

const secretsKey = z
  .string()
  .regex(SECRETS_KEY_PATTERN, 'must be 32 bytes in hexadecimal or base64, e.g. from: openssl rand -hex 32')
  .nullable()
  .default(null);

/** Returns the first and last port of a range, e.g. `4000-4099` or `4000`. */
function portsOf(range: string): [number, number] {
  const [first = 0, last = first] = range.split('-').map(Number);
  return [first, last];
}

const isPortRange = ([first, last]: readonly [number, number]): boolean =>
  first >= 1 && first <= last && last <= 65_535;

const PORT_RANGE = 'must be two ports, the first not above the last, e.g. 4000-4099';

const portRange = z
  .string()
  .regex(/^\d{1,5}-\d{1,5}$/, PORT_RANGE)
  .transform(portsOf)
  .refine(isPortRange, PORT_RANGE)
  .nullable()
  .default(null);

/** Maximum size of the RADIUS port range. Limited because each port is checked on startup. */
const RADIUS_PORTS_MAX = 1_000;
const RADIUS_PORTS = `must be a port, a range of at most ${RADIUS_PORTS_MAX} ports, e.g. 1812-1819, or 0 for free ports`;

const isRadiusRange = ([first, last]: readonly [number, number]): boolean =>
  (first === 0 && last === 0) || (isPortRange([first, last]) && last - first < RADIUS_PORTS_MAX);

const radiusPorts = z
  .string()
  .regex(/^\d{1,5}(?:-\d{1,5})?$/, RADIUS_PORTS)
  .transform(portsOf)
  .refine(isRadiusRange, RADIUS_PORTS)
  .nullable()
  .default(null);

const ORIGINS = 'must be origins separated by commas, without a path or trailing slash, e.g. http://localhost:5173';

const origins = z
  .string()
  .transform((list) => [...new Set(list.split(',').map((origin) => origin.trim()))])
  .refine((list) => list.every(isOrigin), ORIGINS)
  .default([]);

/** Returns true if a browser would send exactly this string as an origin. */
function isOrigin(text: string): boolean {
  return /^https?:/.test(text) && URL.parse(text)?.origin === text;
}

const PROXIES = 'must be IP addresses or networks separated by commas, e.g. 127.0.0.1,10.0.0.0/8';

const proxies = z
  .string()
  .transform((list) => list.split(',').map((range) => normaliseIpRange(range.trim())))
  .refine((list) => list.every((range) => range !== undefined), PROXIES)
  .transform((list) => [...new Set(list.flatMap((range) => range ?? []))])
  // If all addresses were trusted, anyone could choose the address they appear to come from.
  .refine((list) => !coversAllAddresses(list), 'must not contain all addresses')
  .default([]);

const variables = z.object({
  PORT: wholeNumber(0, 65_535, 3_000),
  HOST: z.string().max(253).default('127.0.0.1'),
  PUBLIC_URL: originOf(),
  BACKCHANNEL_URL: originOf(),
  TLS: flag('on', 'off', 'off'),
  TLS_CERT: z.string().max(4_096).nullable().default(null),
  TLS_KEY: z.string().max(4_096).nullable().default(null),
  TRUSTED_PROXIES: proxies,
  CORS_ORIGINS: origins,
  DATABASE_FILE: z.string().max(4_096).default('data/orchestrate.db'),
  SECRETS_KEY: secretsKey,
  SECRETS_KEY_PREVIOUS: secretsKey,
  SEED: z
    .string()
    .max(4_096)
    .regex(/^(?:demo|none|.*\.(?:ya?ml|json))$/, 'must be "demo", "none" or a file with a world, in YAML or JSON')
    .default('demo'),
  SMTP_URL: address(/^smtps?$/, 'an smtp or smtps address'),
  MAIL_FROM: z.email('must be an email address').nullable().default(null),
  LAB: flag('on', 'off', 'on'),
  LAB_TOKEN: z
    .string()
    .max(200)
    .refine((token) => token === AUTO_LAB_TOKEN || token.length >= LAB_TOKEN_MIN_LENGTH, LAB_TOKEN_COMPLAINT)
    .regex(HEADER_VALUE, 'must have no line break and no other character that headers cannot contain')
    .nullable()
    .default(null),
  DR_MODE: flag('true', 'false', 'false'),
  ALLOW_PRIVATE_NETWORKS: flag('true', 'false', 'false'),
  LOG_LEVEL: z
    .enum(
      ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
      'must be fatal, error, warn, info, debug, trace or silent',
    )
    .default('info'),
  RATE_LIMIT: wholeNumber(0, 1_000_000, 600),
  AUDIT_DAYS: wholeNumber(0, 36_500, 365),
  REQUEST_SECONDS: wholeNumber(1, 3_600, 60),
  SPACE_PORTS: portRange,
  RADIUS_PORT: radiusPorts,
  LDAP_PORT: optionalPort(),
  LDAPS_PORT: optionalPort(),
  NODE_ENV: z
    .enum(['production', 'development', 'test'], 'must be production, development or test')
    .default('production'),
});

/** Names of the environment variables. */
export const SETTING_NAMES: readonly string[] = Object.keys(variables.shape);

const ADDRESSES = ['PUBLIC_URL', 'BACKCHANNEL_URL'] as const;

/**
 * Rejects test settings that have no effect: unknown names (unless the whole environment was passed), and settings
 * that don't apply to a portal in the test's own process.
 * @throws ConfigInvalid
 */
export function requireSettings(given: Readonly<Record<string, string | undefined>>): void {
  for (const [name, value] of Object.entries(given)) {
    const isPassedOn = process.env[name] === value;
    if (isPassedOn) continue;
    const instead = INSTEAD[name];
    if (instead) throw new ConfigInvalid(`${name} has no effect here: ${instead}.`);
    if (SETTING_NAMES.includes(name)) {
      if (value === undefined || typeof value === 'string') continue;
      throw new ConfigInvalid(`${name} must be a string, as in the environment, e.g. '0'.`);
    }
    throw new ConfigInvalid(unknownSettingMessage(name, nearest(name, SETTING_NAMES)));
  }
}

/** Explanations for settings that don't apply to a portal in the test's own process. */
const INSTEAD: Readonly<Record<string, string>> = {
  PORT: 'pass the option port instead',
  DATABASE_FILE: 'its database is in memory',
};

/**
 * Reads the configuration from environment variables. Treats an empty variable as absent.
 * @throws ConfigInvalid that names the first invalid variable
 */
export function readConfig(environment: Readonly<Record<string, string | undefined>>): Config {
  const given = Object.fromEntries(
    Object.entries(environment).flatMap(([name, value]) => (value?.trim() ? [[name, value.trim()]] : [])),
  );
  const parsed = variables.safeParse(given);
  if (!parsed.success) {
    // The message never contains the value, which may be a secret.
    const issue = parsed.error.issues[0];
    throw new ConfigInvalid(`The environment variable ${String(issue?.path[0])} ${issue?.message}.`);
  }
  const env = parsed.data;
  const plain = env.TLS && ADDRESSES.find((name) => env[name]?.startsWith('http:'));
  if (plain) throw new ConfigInvalid(`The environment variable ${plain} must be an https URL, because TLS is on.`);
  return {
    port: env.PORT,
    host: env.HOST,
    publicUrl: env.PUBLIC_URL,
    backchannelUrl: env.BACKCHANNEL_URL,
    tls: env.TLS,
    tlsFiles: tlsFilesOf(env),
    trustedProxies: env.TRUSTED_PROXIES,
    corsOrigins: env.CORS_ORIGINS,
    databaseFile: env.DATABASE_FILE,
    secretsKey: env.SECRETS_KEY,
    secretsKeyPrevious: env.SECRETS_KEY_PREVIOUS,
    seed: env.SEED === 'demo' ? 'demo' : 'none',
    seedFile: /\.(?:ya?ml|json)$/.test(env.SEED) ? env.SEED : null,
    isSeedGiven: given.SEED !== undefined,
    smtpUrl: env.SMTP_URL,
    mailFrom: env.MAIL_FROM,
    lab: env.LAB,
    labToken: env.LAB_TOKEN,
    drMode: env.DR_MODE,
    allowPrivateNetworks: env.ALLOW_PRIVATE_NETWORKS,
    logLevel: env.LOG_LEVEL,
    rateLimit: env.RATE_LIMIT,
    auditDays: env.AUDIT_DAYS,
    requestSeconds: env.REQUEST_SECONDS,
    cookiePrefix: '',
    spacePorts: env.SPACE_PORTS,
    radiusPorts: env.RADIUS_PORT,
    ldapPort: env.LDAP_PORT,
    ldapsPort: env.LDAPS_PORT,
    isProduction: env.NODE_ENV === 'production',
    isDeclaredProduction: given.NODE_ENV === 'production',
  };
}

/** Returns the files of the portal's own certificate. @throws ConfigInvalid if one is missing or has no effect */
function tlsFilesOf(env: z.output<typeof variables>): Config['tlsFiles'] {
  const { TLS_CERT: cert, TLS_KEY: key } = env;
  if (cert === null && key === null) return null;
  const given = cert === null ? 'TLS_KEY' : 'TLS_CERT';
  if (cert === null || key === null) {
    const missing = cert === null ? 'TLS_CERT' : 'TLS_KEY';
    throw new ConfigInvalid(`${given} requires ${missing}. Set both or neither.`);
  }
  if (!env.TLS && env.LDAPS_PORT === null)
    throw new ConfigInvalid(`${given} has no effect without TLS=on or LDAPS_PORT.`);
  return { cert, key };
}

/** Reads the configuration from this process's environment. */
export const readProcessConfig = (): Config => readConfig(process.env);

/** Returns a warning for each environment variable of this process that looks like a misspelt setting. */
export const misspeltVariableWarnings = (): string[] => misspeltSettings(process.env, SETTING_NAMES);

/** Returns true if npm or another package manager started this process or one of its ancestors. */
export const isStartedByNpm = (): boolean => process.env.npm_lifecycle_event !== undefined;
