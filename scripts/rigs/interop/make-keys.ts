import { execFileSync } from 'node:child_process';
import { chmodSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Creates a key and a certificate, and writes them as PEM to `key.pem` and `certificate.pem` in the folder. */
export async function makeKeys(
  folder: string,
  kind: 'rsa' | 'ec' = 'rsa',
): Promise<{ privateKey: string; certificate: string }> {
  const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')];
  const subject = ['-subj', '/CN=service provider', '-days', '2'];
  const newKey = kind === 'rsa' ? ['rsa:2048'] : ['ec', '-pkeyopt', 'ec_paramgen_curve:P-256'];
  const args = ['req', '-x509', '-newkey', ...newKey, '-nodes', '-keyout', key, '-out', certificate, ...subject];
  execFileSync('openssl', args, { stdio: 'ignore' });
  // Servers that drop their privileges must be able to read the key.
  chmodSync(key, 0o644);
  return { privateKey: readFileSync(key, 'utf8'), certificate: readFileSync(certificate, 'utf8') };
}
