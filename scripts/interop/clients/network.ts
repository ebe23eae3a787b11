import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { NetworkClient } from '../foreign-client.ts';

const run = promisify(execFile);

/** What a program has written, also where it ends with an error. */
async function written(command: string, args: readonly string[], input = ''): Promise<string> {
  const running = run(command, [...args]);
  running.child.stdin?.end(input);
  return running.then(
    ({ stdout }) => stdout,
    ({ stdout, stderr }: { stdout: string; stderr: string }) => stdout + stderr,
  );
}

const radclient: NetworkClient = {
  protocol: 'RADIUS and LDAP',
  name: 'radclient',
  title: 'radclient (FreeRADIUS)',
  from: { debian: ['freeradius-utils'] },
  flows: ['sign-in', 'denied on the phone', 'wrong secret'],
  type: 'radius',
  signIn({ port, secret, email }) {
    const request = `User-Name = "${email}", User-Password = "x", Message-Authenticator = 0x00\n`;
    return written('radclient', ['-x', '-r', '1', '-t', '5', `127.0.0.1:${port}`, 'auth', secret], request);
  },
  succeeds: /Received Access-Accept/,
};

const ldapUtils: NetworkClient = {
  protocol: 'RADIUS and LDAP',
  name: 'ldap-utils',
  title: 'ldapwhoami and ldapsearch (OpenLDAP)',
  from: { debian: ['ldap-utils'] },
  flows: ['sign-in', 'denied on the phone', 'wrong secret', 'search'],
  type: 'ldap',
  signIn({ port, email, baseDn }) {
    const dn = `uid=${email},ou=people,${baseDn}`;
    return written('ldapwhoami', ['-x', '-H', `ldap://127.0.0.1:${port}`, '-D', dn, '-w', 'x']);
  },
  succeeds: /^dn:/,
  search({ port, secret, email, baseDn, bindDn }) {
    const at = ['-x', '-LLL', '-H', `ldap://127.0.0.1:${port}`, '-D', bindDn, '-w', secret, '-b', baseDn];
    return written('ldapsearch', [...at, `(mail=${email})`]);
  },
};

export const NETWORK_CLIENTS: readonly NetworkClient[] = [radclient, ldapUtils];
