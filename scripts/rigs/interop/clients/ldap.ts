import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fillTemplates } from '../fill-templates.ts';
import { NETWORK_FLOWS, type NetworkClient, type NetworkSettings } from '../foreign-client.ts';
import { makeKeys } from '../make-keys.ts';
import { runCommand, startProgram } from '../program.ts';
import { configureApache, startApache } from './debian.ts';
import { buildGoProgram, runInMountNamespace } from './programs.ts';
import { freeradiusLdap } from './radius.ts';

const PROGRAMS = join(import.meta.dirname, '..');
const WITHOUT_SEARCH = NETWORK_FLOWS.filter((flow) => flow !== 'search');

const ldapAddress = ({ port }: NetworkSettings): string => `ldap://127.0.0.1:${port}`;

/** Returns the LDAPS URL with `localhost`, because libldap checks the certificate against the host name. */
const ldapsAddress = ({ tlsPort }: NetworkSettings): string => `ldaps://localhost:${tlsPort}`;

/** Creates a client that runs OpenLDAP's commands. @param optionsFor returns the commands' connection options */
function openLdap(
  client: Pick<NetworkClient, 'name' | 'title'>,
  optionsFor: (settings: NetworkSettings) => readonly string[],
): NetworkClient {
  const run = (command: string, settings: NetworkSettings, ...args: string[]) =>
    runCommand({
      command,
      args: ['-x', ...optionsFor(settings), ...args],
      env: { LDAPTLS_CACERT: settings.ca, LDAPTLS_REQCERT: 'demand' },
    });
  return {
    ...client,
    protocol: 'RADIUS and LDAP',
    from: { debian: ['ldap-utils'] },
    flows: NETWORK_FLOWS,
    type: 'ldap',
    signIn: (settings) =>
      run('ldapwhoami', settings, '-D', `uid=${settings.email},ou=people,${settings.baseDn}`, '-w', 'x'),
    succeeds: /^dn:/,
    search(settings) {
      const { secret, email, baseDn, bindDn } = settings;
      return run('ldapsearch', settings, '-LLL', '-D', bindDn, '-w', secret, '-b', baseDn, `(mail=${email})`);
    },
  };
}

const ldapUtils = openLdap({ name: 'ldap-utils', title: 'ldapwhoami and ldapsearch (OpenLDAP)' }, (settings) => [
  '-H',
  ldapAddress(settings),
]);
const ldapUtilsTls = openLdap(
  { name: 'ldap-utils-ldaps', title: 'ldapwhoami and ldapsearch over LDAPS (OpenLDAP)' },
  (settings) => ['-H', ldapsAddress(settings)],
);
const ldapUtilsStartTls = openLdap(
  { name: 'ldap-utils-starttls', title: 'ldapwhoami and ldapsearch with StartTLS (OpenLDAP)' },
  ({ port }) => ['-ZZ', '-H', `ldap://localhost:${port}`],
);

type Command = readonly [string, ...string[]];

/** Creates a client from our own program for a library. The program prints "Welcome" or, for a search, "mail: …". */
function directoryProgram(
  client: Pick<NetworkClient, 'name' | 'title' | 'from'>,
  commandIn: (settings: NetworkSettings) => Command | Promise<Command>,
): NetworkClient {
  async function run(what: string, settings: NetworkSettings): Promise<string> {
    const [command, ...args] = await commandIn(settings);
    const { baseDn, bindDn, secret, email } = settings;
    const env = { ADDRESS: ldapAddress(settings), BASE_DN: baseDn, BIND_DN: bindDn, SECRET: secret, EMAIL: email };
    return runCommand({ command, args: [...args, what], env });
  }
  return {
    ...client,
    protocol: 'RADIUS and LDAP',
    flows: NETWORK_FLOWS,
    type: 'ldap',
    signIn: (settings) => run('sign-in', settings),
    succeeds: /^Welcome/m,
    search: (settings) => run('search', settings),
  };
}

const pythonLdap = directoryProgram(
  { name: 'python-ldap', title: 'python-ldap', from: { debian: ['python3-ldap'] } },
  () => ['/usr/bin/python3', '-B', join(PROGRAMS, 'python/python_ldap_client.py')],
);
const ldap3 = directoryProgram({ name: 'ldap3', title: 'ldap3', from: { debian: ['python3-ldap3'] } }, () => [
  '/usr/bin/python3',
  '-B',
  join(PROGRAMS, 'python/ldap3_client.py'),
]);
const djangoAuthLdap = directoryProgram(
  { name: 'django-auth-ldap', title: 'django-auth-ldap', from: { debian: ['python3-django-auth-ldap'] } },
  () => ['/usr/bin/python3', '-B', join(PROGRAMS, 'python/django_auth_ldap_client.py')],
);
const goLdap = directoryProgram(
  { name: 'go-ldap', title: 'go-ldap (Go)', from: { debian: ['golang-github-go-ldap-ldap-dev', 'golang-go'] } },
  async ({ workspace }) => [await buildGoProgram('net_ldap', workspace.folder)],
);
const netLdap = directoryProgram(
  { name: 'net-ldap', title: 'Net::LDAP (Ruby)', from: { debian: ['ruby-net-ldap', 'ruby'] } },
  () => ['/usr/bin/ruby', join(PROGRAMS, 'ldap/net-ldap.rb')],
);
const phpLdap = directoryProgram(
  { name: 'php-ldap', title: 'PHP’s LDAP functions', from: { debian: ['php-ldap', 'php-cli'] } },
  () => ['/usr/bin/php', join(PROGRAMS, 'ldap/php-ldap.php')],
);
const perlLdap = directoryProgram(
  { name: 'perl-ldap', title: 'Net::LDAP (Perl)', from: { debian: ['libnet-ldap-perl'] } },
  () => ['/usr/bin/perl', join(PROGRAMS, 'perl/net-ldap.pl')],
);
const ldapts = directoryProgram({ name: 'ldapts', title: 'ldapts', from: { npm: ['ldapts'] } }, ({ workspace }) => [
  process.execPath,
  join(workspace.nodePrograms, 'ldapts.mjs'),
]);
const ldapauthFork: NetworkClient = {
  ...directoryProgram(
    { name: 'ldapauth-fork', title: 'ldapauth-fork (of passport-ldapauth)', from: { npm: ['ldapauth-fork'] } },
    ({ workspace }) => [process.execPath, join(workspace.nodePrograms, 'ldapauth-fork.mjs')],
  ),
  // This client only looks up users to sign them in, so skip the search flow.
  flows: WITHOUT_SEARCH,
};

const ldapjs = directoryProgram({ name: 'ldapjs', title: 'ldapjs', from: { npm: ['ldapjs'] } }, ({ workspace }) => [
  process.execPath,
  join(workspace.nodePrograms, 'ldapjs.mjs'),
]);

const activeDirectory: NetworkClient = {
  ...directoryProgram(
    { name: 'activedirectory2', title: 'activedirectory2', from: { npm: ['activedirectory2'] } },
    ({ workspace }) => [process.execPath, join(workspace.nodePrograms, 'activedirectory2.mjs')],
  ),
  flows: ['sign-in', 'search'],
  cannot: {
    'sign-in': 'it binds with an email address instead of a distinguished name, which only Active Directory allows',
    search: 'it searches for `objectCategory=User`, which only exists in the schema of Active Directory',
  },
};

const modAuthnzLdap: NetworkClient = {
  protocol: 'RADIUS and LDAP',
  name: 'mod-authnz-ldap',
  title: 'mod_authnz_ldap (Apache)',
  from: { debian: ['apache2-bin', 'apache2'] },
  flows: WITHOUT_SEARCH,
  type: 'ldap',
  async signIn({ workspace, port, secret, baseDn, bindDn, email }) {
    const values = { LDAP_PORT: String(port), BASE_DN: baseDn, BIND_DN: bindDn, SECRET: secret };
    configureApache(['apache-ldap'], workspace, values);
    const apache = await startApache(workspace);
    const authorization = `Basic ${btoa(`${email}:x`)}`;
    const answer = await fetch(`${workspace.url}/me`, { headers: { authorization } });
    const text = await answer.text();
    await apache.stop();
    return `${answer.status} ${text}`;
  },
  succeeds: /^200 user@acme\.test/,
};

/** Starts Dovecot with the portal as its LDAP server, and runs `doveadm`. */
function runDovecot(
  { workspace, port, secret, baseDn, bindDn }: NetworkSettings,
  ...question: string[]
): Promise<string> {
  const values = {
    FOLDER: workspace.folder,
    LDAP_PORT: String(port),
    BASE_DN: baseDn,
    BIND_DN: bindDn,
    SECRET: secret,
  };
  fillTemplates(join(PROGRAMS, 'dovecot'), workspace.folder, values);
  // The command exits once the daemon is running, so the daemon must not inherit our pipes.
  const script = 'dovecot -c "$0" > /dev/null 2>&1; doveadm -c "$0" "$@"; doveadm -c "$0" stop';
  return runCommand({
    command: '/bin/bash',
    args: ['-c', script, join(workspace.folder, 'dovecot.conf'), ...question],
  });
}

const dovecot: NetworkClient = {
  protocol: 'RADIUS and LDAP',
  name: 'dovecot',
  title: 'Dovecot',
  from: { debian: ['dovecot-ldap', 'dovecot-core'] },
  flows: NETWORK_FLOWS,
  type: 'ldap',
  signIn: (settings) => runDovecot(settings, 'auth', 'test', settings.email, 'x'),
  succeeds: /auth succeeded/,
  search: (settings) => runDovecot(settings, 'user', settings.email),
  finds: /^home\t\/home\/user@acme\.test$/m,
};

/** Squid's helpers for basic authentication and group membership. */
const squid: NetworkClient = {
  protocol: 'RADIUS and LDAP',
  name: 'squid',
  title: 'basic_ldap_auth and ext_ldap_group_acl (Squid)',
  from: { debian: [], unpacked: ['squid'] },
  flows: NETWORK_FLOWS,
  type: 'ldap',
  signIn: (settings) => runSquidHelper(settings, 'basic_ldap_auth', ['-f', '(mail=%s)'], 'x'),
  succeeds: /^OK/m,
  search: (settings) =>
    runSquidHelper(settings, 'ext_ldap_group_acl', ['-F', '(mail=%s)', '-f', '(&(cn=%a)(member=%v))'], 'USER'),
  finds: /^OK/m,
};

/** Runs a helper that reads one line and prints its answer. */
function runSquidHelper(
  { workspace, port, secret, email, baseDn, bindDn }: NetworkSettings,
  helper: string,
  filters: readonly string[],
  word: string,
): Promise<string> {
  const directory = ['-v', '3', '-h', '127.0.0.1', '-p', String(port), '-b', baseDn, '-D', bindDn, '-w', secret];
  const command = join(workspace.unpacked, 'usr/lib/squid', helper);
  return runCommand({ command, args: [...directory, ...filters], input: `${email} ${word}\n` });
}

/** Starts nslcd with the portal as its LDAP server, and queries it. */
function queryNslcd(
  { workspace, port, secret, email, baseDn, bindDn }: NetworkSettings,
  what: string,
): Promise<string> {
  const module = join(workspace.unpacked, 'lib/x86_64-linux-gnu/security/pam_ldap.so');
  const nslcd = [`uri ldap://127.0.0.1:${port}`, `base ${baseDn}`, `binddn ${bindDn}`, `bindpw ${secret}`];
  const files = { 'pam.d/portal': `auth required ${module}\n`, 'nslcd.conf': `${nslcd.join('\n')}\n` };
  return runInMountNamespace(
    workspace,
    files,
    '/bin/bash',
    join(PROGRAMS, 'pam/ldap.sh'),
    workspace.unpacked,
    what,
    email,
  );
}

const pamLdap: NetworkClient = {
  protocol: 'RADIUS and LDAP',
  name: 'pam-ldap',
  title: 'nslcd with pam_ldap and nss_ldap (libpam-ldapd)',
  from: { debian: ['pamtester'], unpacked: ['nslcd', 'libpam-ldapd', 'libnss-ldapd'] },
  flows: NETWORK_FLOWS,
  type: 'ldap',
  signIn: (settings) => queryNslcd(settings, 'sign-in'),
  succeeds: /successfully authenticated/,
  search: (settings) => queryNslcd(settings, 'search'),
  // Matches the user's entry, a group's members and the user's groups.
  finds: /^user@acme\.test:.*:\/home\/.*\nUSER:.*:(\d+):(.*,)?user@acme\.test(,.*)?\nuser@acme\.test .*\b\1\b/m,
};

/** Starts sssd with the portal as its LDAPS server, and queries it. */
function querySssd(settings: NetworkSettings, what: string): Promise<string> {
  const { workspace, secret, email, baseDn, bindDn, ca } = settings;
  const module = join(workspace.unpacked, 'lib/x86_64-linux-gnu/security/pam_sss.so');
  const values = { ADDRESS: ldapsAddress(settings), BASE_DN: baseDn, BIND_DN: bindDn, SECRET: secret, CA: ca };
  fillTemplates(join(PROGRAMS, 'sssd'), join(workspace.folder, 'sssd'), values);
  const files = {
    'pam.d/portal': `auth required ${module}\n`,
    'sssd/sssd.conf': readFileSync(join(workspace.folder, 'sssd/sssd.conf'), 'utf8'),
  };
  return runInMountNamespace(
    workspace,
    files,
    '/bin/bash',
    join(PROGRAMS, 'pam/sssd.sh'),
    workspace.unpacked,
    what,
    email,
  );
}

const sssd: NetworkClient = {
  protocol: 'RADIUS and LDAP',
  name: 'sssd',
  title: 'sssd with pam_sss and nss_sss, over LDAPS',
  from: {
    // sssd's libraries, and pamtester.
    debian: [
      'pamtester',
      'libldb2',
      'libini-config5',
      'libdhash1',
      'libc-ares2',
      'libnl-route-3-200',
      'libsss-certmap0',
      'libsemanage2',
      'libnfsidmap1',
    ],
    unpacked: ['sssd-ldap', 'sssd-common', 'sssd-krb5-common', 'libsss-idmap0', 'libnss-sss', 'libpam-sss'],
  },
  flows: NETWORK_FLOWS,
  type: 'ldap',
  signIn: (settings) => querySssd(settings, 'sign-in'),
  succeeds: /successfully authenticated/,
  search: (settings) => querySssd(settings, 'search'),
  // Matches the user's entry, their primary group's name and all their groups.
  finds: /^user@acme\.test:.*:(\d+):.*:\/home\/.*\nUSER:.*:\1:(.*,)?user@acme\.test(,.*)?\nuser@acme\.test .*\b\1\b/m,
};

/**
 * Signs in to an OpenVPN server without a network device. The server's plugin authenticates against the portal over
 * LDAPS.
 */
const openvpn: NetworkClient = {
  protocol: 'RADIUS and LDAP',
  name: 'openvpn-auth-ldap',
  title: 'openvpn-auth-ldap (OpenVPN), over LDAPS',
  from: {
    debian: ['libobjc4', 'liblzo2-2', 'libpkcs11-helper1', 'libnl-genl-3-200'],
    unpacked: ['openvpn-auth-ldap', 'openvpn'],
  },
  flows: WITHOUT_SEARCH,
  type: 'ldap',
  async signIn(settings) {
    const { workspace, secret, email, baseDn, bindDn, ca } = settings;
    const cwd = join(workspace.folder, 'openvpn-auth-ldap');
    const directory = { ADDRESS: ldapsAddress(settings), BASE_DN: baseDn, BIND_DN: bindDn, SECRET: secret, CA: ca };
    const values = { ...directory, EMAIL: email, PORT: String(workspace.port), UNPACKED: workspace.unpacked };
    fillTemplates(join(PROGRAMS, 'openvpn-auth-ldap'), cwd, values);
    await makeKeys(cwd);
    const command = join(workspace.unpacked, 'usr/sbin/openvpn');
    const server = await startProgram({ command, args: ['--config', 'server.conf'], cwd });
    try {
      return await runCommand({ command, args: ['--config', 'client.conf'], cwd });
    } finally {
      await server.stop();
    }
  },
  succeeds: /Initialization Sequence Completed/,
};

export const LDAP_CLIENTS: readonly NetworkClient[] = [
  ldapUtils,
  ldapUtilsTls,
  ldapUtilsStartTls,
  pamLdap,
  sssd,
  openvpn,
  modAuthnzLdap,
  freeradiusLdap,
  dovecot,
  squid,
  pythonLdap,
  ldap3,
  djangoAuthLdap,
  goLdap,
  netLdap,
  perlLdap,
  phpLdap,
  ldapauthFork,
  ldapjs,
  ldapts,
  activeDirectory,
];
