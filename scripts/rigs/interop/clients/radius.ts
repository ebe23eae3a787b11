import { join } from 'node:path';
import { fillTemplates } from '../fill-templates.ts';
import { NETWORK_FLOWS, type NetworkClient, type NetworkSettings, type Place } from '../foreign-client.ts';
import { runCommand, startProgram } from '../program.ts';
import { runInPrivate } from './run-in-private.ts';

const PROGRAMS = join(import.meta.dirname, '..');
const FLOWS = NETWORK_FLOWS.filter((flow) => flow !== 'search');

/** Asks twice: a proxy may still be starting. */
function askByRadclient({ port, secret, email }: Pick<NetworkSettings, 'port' | 'secret' | 'email'>): Promise<string> {
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
  signIn: askByRadclient,
  succeeds: /Received Access-Accept/,
};

const NAS_SECRET = 'secret-of-the-access-server';

/** A server that stands between an access server, here radclient, and the portal. */
function radiusServer(
  client: Pick<NetworkClient, 'name' | 'title' | 'from' | 'type'>,
  { program, args, env }: { program: string; args: readonly string[]; env?: (place: Place) => Record<string, string> },
): NetworkClient {
  return {
    ...client,
    protocol: 'RADIUS and LDAP',
    flows: FLOWS,
    async signIn({ place, port, secret, email, baseDn, bindDn }) {
      const { unpacked } = place;
      // FreeRADIUS reads nothing from a folder in which everybody may write.
      const cwd = join(place.folder, client.name);
      const at = { FOLDER: cwd, UNPACKED: unpacked, PORT: String(place.port) };
      const portal = { SECRET: secret, BASE_DN: baseDn, BIND_DN: bindDn };
      const values = { ...at, ...portal, RADIUS_PORT: String(port), LDAP_PORT: String(port), NAS_SECRET };
      fillTemplates(join(PROGRAMS, client.name), cwd, values);
      const proxy = await startProgram({ command: join(unpacked, program), args, cwd, env: env?.(place) ?? {} });
      try {
        return await askByRadclient({ port: place.port, secret: NAS_SECRET, email });
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
  env: ({ unpacked }: Place) => ({ LD_LIBRARY_PATH: join(unpacked, 'usr/lib/freeradius') }),
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

/** It looks the person up, and whether they are in a group, and binds as them. */
export const freeradiusLdap = radiusServer(
  {
    name: 'freeradius-ldap',
    title: 'rlm_ldap (FreeRADIUS)',
    from: { debian: ['freeradius-utils'], unpacked: ['freeradius-ldap', 'freeradius'] },
    type: 'ldap',
  },
  FREERADIUS,
);

/** It can neither come in nor be refused: the portal, which knows RADIUS clients by it, does not answer. */
const UNPROTECTED = 'it sends no Message-Authenticator, and could be answered by anybody (Blast-RADIUS, CVE-2024-3596)';

/** A program of ours around a library, which says "Welcome". */
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
  signIn({ place, port, secret, email }) {
    const module = join(place.unpacked, 'lib/x86_64-linux-gnu/security/pam_radius_auth.so');
    const files = {
      'pam.d/portal': `auth required ${module} conf=/etc/pam_radius.conf\n`,
      'pam_radius.conf': `127.0.0.1:${port} ${secret} 10\n`,
    };
    return runInPrivate(place, files, '/bin/bash', '-c', `echo x | pamtester portal ${email} authenticate 2>&1`);
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
