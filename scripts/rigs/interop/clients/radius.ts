import { join } from 'node:path';
import { fillTemplates } from '../fill-templates.ts';
import { NETWORK_FLOWS, type NetworkClient, type NetworkSettings, type Workspace } from '../foreign-client.ts';
import { runCommand, startProgram } from '../program.ts';
import { runInMountNamespace } from './programs.ts';

const PROGRAMS = join(import.meta.dirname, '..');
const FLOWS = NETWORK_FLOWS.filter((flow) => flow !== 'search');

/** Runs radclient with two attempts, because a RADIUS proxy may still be starting. */
function runRadclient({ port, secret, email }: Pick<NetworkSettings, 'port' | 'secret' | 'email'>): Promise<string> {
  const input = `User-Name = "${email}", User-Password = "x", Message-Authenticator = 0x00\n`;
  const args = ['-x', '-r', '2', '-t', '3', `127.0.0.1:${port}`, 'auth', secret];
  return runCommand({ command: 'radclient', args, input });
}

const radclient: NetworkClient = {
  protocol: 'RADIUS and LDAP',
  name: 'radclient',
  title: 'radclient (FreeRADIUS)',
  from: { debian: ['freeradius-utils'] },
  flows: FLOWS,
  type: 'radius',
  signIn: runRadclient,
  succeeds: /Received Access-Accept/,
};

const NAS_SECRET = 'secret-of-the-access-server';

/** Creates a client from a RADIUS server that sits between an access server (here radclient) and the portal. */
function radiusServer(
  client: Pick<NetworkClient, 'name' | 'title' | 'from' | 'type'>,
  {
    program,
    args,
    env,
  }: { program: string; args: readonly string[]; env?: (workspace: Workspace) => Record<string, string> },
): NetworkClient {
  return {
    ...client,
    protocol: 'RADIUS and LDAP',
    flows: FLOWS,
    async signIn({ workspace, port, secret, email, baseDn, bindDn }) {
      const { unpacked } = workspace;
      // FreeRADIUS refuses configuration files from a world-writable folder.
      const cwd = join(workspace.folder, client.name);
      const at = { FOLDER: cwd, UNPACKED: unpacked, PORT: String(workspace.port) };
      const portal = { SECRET: secret, BASE_DN: baseDn, BIND_DN: bindDn };
      const values = { ...at, ...portal, RADIUS_PORT: String(port), LDAP_PORT: String(port), NAS_SECRET };
      fillTemplates(join(PROGRAMS, client.name), cwd, values);
      const proxy = await startProgram({ command: join(unpacked, program), args, cwd, env: env?.(workspace) ?? {} });
      try {
        return await runRadclient({ port: workspace.port, secret: NAS_SECRET, email });
      } finally {
        await proxy.stop();
      }
    },
    succeeds: /Received Access-Accept/,
  };
}

const radsecproxy = radiusServer(
  {
    name: 'radsecproxy',
    title: 'radsecproxy',
    from: { debian: ['freeradius-utils'], unpacked: ['radsecproxy'] },
    type: 'radius',
  },
  { program: 'usr/sbin/radsecproxy', args: ['-f', '-c', 'radsecproxy.conf'] },
);

const FREERADIUS = {
  program: 'usr/sbin/freeradius',
  args: ['-f', '-l', 'stdout', '-d', '.'],
  env: ({ unpacked }: Workspace) => ({ LD_LIBRARY_PATH: join(unpacked, 'usr/lib/freeradius') }),
};

const freeradius = radiusServer(
  {
    name: 'freeradius',
    title: 'FreeRADIUS as a proxy',
    from: { debian: ['freeradius-utils'], unpacked: ['freeradius'] },
    type: 'radius',
  },
  FREERADIUS,
);

/** Looks up the user and their group, then binds as the user. */
export const freeradiusLdap = radiusServer(
  {
    name: 'freeradius-ldap',
    title: 'rlm_ldap (FreeRADIUS)',
    from: { debian: ['freeradius-utils'], unpacked: ['freeradius-ldap', 'freeradius'] },
    type: 'ldap',
  },
  FREERADIUS,
);

/**
 * The portal drops packets without a Message-Authenticator, so these clients receive neither an Accept nor a Reject.
 */
const UNPROTECTED =
  'it sends no Message-Authenticator, so an attacker could forge the response (Blast-RADIUS, CVE-2024-3596)';

/** Creates a client from our own program for a library. The program prints "Welcome". */
function radiusProgram(
  client: Pick<NetworkClient, 'name' | 'title' | 'from'>,
  command: string,
  ...args: readonly string[]
): NetworkClient {
  return {
    ...client,
    protocol: 'RADIUS and LDAP',
    flows: FLOWS,
    type: 'radius',
    signIn({ port, secret, email }) {
      return runCommand({ command, args, env: { PORT: String(port), SECRET: secret, EMAIL: email } });
    },
    succeeds: /^Welcome/m,
  };
}

const pyrad: NetworkClient = {
  ...radiusProgram(
    { name: 'pyrad', title: 'pyrad', from: { debian: ['python3-pyrad'] } },
    '/usr/bin/python3',
    '-B',
    join(PROGRAMS, 'python/pyrad_client.py'),
  ),
  cannot: { 'sign-in': UNPROTECTED, 'denied on the phone': UNPROTECTED },
  flows: ['sign-in', 'denied on the phone'],
};
const authenRadius = radiusProgram(
  { name: 'authen-radius', title: 'Authen::Radius (Perl)', from: { debian: ['libauthen-radius-perl'] } },
  '/usr/bin/perl',
  join(PROGRAMS, 'perl/authen-radius.pl'),
);
const phpRadius = radiusProgram(
  { name: 'dapphp-radius', title: 'dapphp/radius (PHP)', from: { debian: ['php-dapphp-radius', 'php-cli'] } },
  '/usr/bin/php',
  join(PROGRAMS, 'php/dapphp-radius.php'),
);

const pamRadius: NetworkClient = {
  protocol: 'RADIUS and LDAP',
  name: 'pam-radius',
  title: 'pam_radius (libpam-radius-auth)',
  from: { debian: ['pamtester'], unpacked: ['libpam-radius-auth'] },
  cannot: { 'sign-in': UNPROTECTED, 'denied on the phone': UNPROTECTED },
  flows: ['sign-in', 'denied on the phone'],
  type: 'radius',
  signIn({ workspace, port, secret, email }) {
    const module = join(workspace.unpacked, 'lib/x86_64-linux-gnu/security/pam_radius_auth.so');
    const files = {
      'pam.d/portal': `auth required ${module} conf=/etc/pam_radius.conf\n`,
      'pam_radius.conf': `127.0.0.1:${port} ${secret} 10\n`,
    };
    return runInMountNamespace(
      workspace,
      files,
      '/bin/bash',
      '-c',
      `echo x | pamtester portal ${email} authenticate 2>&1`,
    );
  },
  succeeds: /successfully authenticated/,
};

export const RADIUS_CLIENTS: readonly NetworkClient[] = [
  radclient,
  radsecproxy,
  freeradius,
  authenRadius,
  phpRadius,
  pyrad,
  pamRadius,
];
