import { createPrivateKey, X509Certificate } from 'node:crypto';
import { type Complain, entries, fields, type Path, textOf, type Unique } from './raw.ts';

const KEY_TYPES: Readonly<Record<string, string>> = { RS256: 'rsa', ES256: 'ec' };

/** The keys with which an organisation signs: each is of its kind, and a certificate belongs to its key. */
export function checkKeys(keys: unknown, path: Path, complain: Complain, unique: Unique): void {
  const { oidc, saml } = fields(keys);
  for (const [nth, { id, alg, privateJwk }] of entries(oidc)) {
    const at = [...path, 'oidc', nth];
    unique('The id', textOf(id), [...at, 'id'], 'OIDC key');
    const type = keyTypeOf(() => createPrivateKey({ key: fields(privateJwk), format: 'jwk' }).asymmetricKeyType);
    const wanted = KEY_TYPES[String(alg)];
    if (wanted !== undefined && type !== wanted)
      complain([...at, 'privateJwk'], `This is not a private key for ${String(alg)}.`);
  }
  for (const [nth, { id, privateKey, certificate }] of entries(saml)) {
    const at = [...path, 'saml', nth];
    unique('The id', textOf(id), [...at, 'id'], 'SAML key');
    const [key, text] = [textOf(privateKey), textOf(certificate)];
    if (key === undefined || text === undefined) continue;
    const made = readKey(key);
    const issued = readCertificate(text);
    if (!made) complain([...at, 'privateKey'], 'This is not an RSA private key in PEM.');
    if (!issued) complain([...at, 'certificate'], 'This is not a certificate in PEM.');
    if (made && issued && !issued.checkPrivateKey(made))
      complain([...at, 'certificate'], 'The certificate belongs to another key.');
  }
}

function keyTypeOf(read: () => string | undefined): string | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

function readKey(pem: string) {
  try {
    const key = createPrivateKey(pem);
    return key.asymmetricKeyType === 'rsa' ? key : undefined;
  } catch {
    return undefined;
  }
}

function readCertificate(pem: string): X509Certificate | undefined {
  try {
    return new X509Certificate(pem);
  } catch {
    return undefined;
  }
}
