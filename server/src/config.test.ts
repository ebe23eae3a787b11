import { expect, test } from 'vitest';
import { ConfigInvalid, readConfig } from './config.ts';

test('runs on loopback with demo data and the lab if no variables are set', () => {
  expect(readConfig({})).toEqual({
    port: 3_000,
    host: '127.0.0.1',
    publicUrl: null,
    backchannelUrl: null,
    tls: false,
    tlsFiles: null,
    trustedProxies: [],
    corsOrigins: [],
    databaseFile: 'data/orchestrate.db',
    secretsKey: null,
    secretsKeyPrevious: null,
    seed: 'demo',
    seedFile: null,
    isSeedGiven: false,
    smtpUrl: null,
    mailFrom: null,
    lab: true,
    labToken: null,
    drMode: false,
    allowPrivateNetworks: false,
    logLevel: 'info',
    rateLimit: 600,
    auditDays: 365,
    requestSeconds: 60,
    cookiePrefix: '',
    spacePorts: null,
    radiusPorts: null,
    ldapPort: null,
    ldapsPort: null,
    isProduction: true,
    isDeclaredProduction: false,
  });
});

test('treats an empty variable as absent and strips the path from a URL', () => {
  const config = readConfig({ PORT: ' ', HOST: '', PUBLIC_URL: 'https://portal.example.org/x/', LAB: 'off' });
  expect(config).toMatchObject({ port: 3_000, host: '127.0.0.1', publicUrl: 'https://portal.example.org', lab: false });
});

test.each([
  ['PORT', '70000', 'must be a whole number from 0 to 65535'],
  ['PORT', 'http', 'must be a whole number from 0 to 65535'],
  ['PUBLIC_URL', 'localhost:3000', 'must be an http or https address'],
  ['BACKCHANNEL_URL', 'portal:3000', 'must be an http or https address'],
  ...[
    '*',
    'null',
    'localhost:5173',
    'http://localhost:5173/',
    'http://localhost:5173,,http://a.test',
    'ws://a.test',
  ].map((value) => ['CORS_ORIGINS', value, 'must be origins separated by commas.*']),
  ...['nginx', '10.0.0.1,', '10.0.0.0/33', '127.1', '010.0.0.1', 'loopback', '::1%lo', '10.0.0.1;10.0.0.2'].map(
    (value) => ['TRUSTED_PROXIES', value, 'must be IP addresses or networks separated by commas.*'],
  ),
  ...[
    '0.0.0.0/0',
    '::/0',
    '10.0.0.1,::ffff:0:0/96',
    '0.0.0.0/1,128.0.0.0/1',
    '128.0.0.0/1,10.0.0.1,64.0.0.0/2,0.0.0.0/2',
    '8000::/1,::/2,4000::/2',
    '::/1',
  ].map((value) => ['TRUSTED_PROXIES', value, 'must not contain all addresses']),
  ['TLS', 'yes', 'must be "on" or "off"'],
  ['SEED', 'prod', 'must be "demo", "none" or a file with a world, in YAML or JSON'],
  ['SECRETS_KEY', 'a'.repeat(42), 'must be 32 bytes in hexadecimal or base64, e.g. from: openssl rand -hex 32'],
  ['SECRETS_KEY_PREVIOUS', 'short', 'must be 32 bytes in hexadecimal or base64, e.g. from: openssl rand -hex 32'],
  ['LAB', 'maybe', 'must be "on" or "off"'],
  ['LAB_TOKEN', 'short', 'must be "auto" or have at least 8 characters'],
  ['LAB_TOKEN', 'in two\nlines', 'must have no line break and no other character that headers cannot contain'],
  ['SMTP_URL', 'https://mail.example.org', 'must be an smtp or smtps address'],
  ['SMTP_URL', 'smtp://', 'must be an smtp or smtps address'],
  ...['70000', '0-5', '5-0', '1819-1812', '1812-', '1812-2812', '1812,1813'].map((value) => [
    'RADIUS_PORT',
    value,
    'must be a port, a range of at most 1000 ports, e.g. 1812-1819, or 0 for free ports',
  ]),
  ['LDAP_PORT', '70000', 'must be a whole number from 0 to 65535'],
  ['SPACE_PORTS', '4000', 'must be two ports, the first not above the last, e.g. 4000-4099'],
  ['SPACE_PORTS', '4099-4000', 'must be two ports, the first not above the last, e.g. 4000-4099'],
  ['DR_MODE', 'yes', 'must be "true" or "false"'],
  ['ALLOW_PRIVATE_NETWORKS', '1', 'must be "true" or "false"'],
  ['LOG_LEVEL', 'loud', 'must be fatal, error, warn, info, debug, trace or silent'],
  ['RATE_LIMIT', '-1', 'must be a whole number from 0 to 1000000'],
  ['AUDIT_DAYS', 'forever', 'must be a whole number from 0 to 36500'],
  ['REQUEST_SECONDS', '0', 'must be a whole number from 1 to 3600'],
  ['REQUEST_SECONDS', '3601', 'must be a whole number from 1 to 3600'],
  ['NODE_ENV', 'staging', 'must be production, development or test'],
])('%s=%s prevents startup without printing the value', (name, value, complaint) => {
  const read = () => readConfig({ [name]: value });
  expect(read).toThrow(ConfigInvalid);
  expect(read).toThrow(new RegExp(`^The environment variable ${name} ${complaint}\\.$`));
});

test('accepts TRUSTED_PROXIES networks that do not cover all addresses', () => {
  for (const value of ['0.0.0.0/1,128.0.0.0/2', '8000::/1,10.0.0.0/8', '0.0.0.0/1,192.0.0.0/2'])
    expect(readConfig({ TRUSTED_PROXIES: value }).trustedProxies).toEqual(value.split(','));
});

test.each([
  ['1812', [1_812, 1_812]],
  ['1812-1819', [1_812, 1_819]],
  ['0', [0, 0]],
])('accepts RADIUS_PORT=%s as a port range', (value, ports) => {
  expect(readConfig({ RADIUS_PORT: value }).radiusPorts).toEqual(ports);
});

test.each(['PUBLIC_URL', 'BACKCHANNEL_URL'])('rejects TLS=on with a %s that is not an https URL', (name) => {
  const read = () => readConfig({ TLS: 'on', [name]: 'http://portal.example' });
  expect(read).toThrow(`The environment variable ${name} must be an https URL, because TLS is on.`);
  expect(readConfig({ TLS: 'on', [name]: 'https://portal.example' }).tls).toBe(true);
});
