import { X509Certificate } from 'node:crypto';
import type { ServiceProvider } from '@orchestrate/shared';

export type CertificateFacts = ServiceProvider['certificates'][number];

/** The DER of a certificate given as PEM or as its bare base64; undefined where it is neither. */
export function readCertificate(text: string): X509Certificate | undefined {
  const base64 = text.replace(/-----(BEGIN|END) CERTIFICATE-----/g, '').replace(/\s+/g, '');
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) return undefined;
  try {
    return new X509Certificate(Buffer.from(base64, 'base64'));
  } catch {
    return undefined;
  }
}

/** As base64 on one line: the content of `ds:X509Certificate`. */
export const base64Of = (certificate: X509Certificate): string => certificate.raw.toString('base64');

/** What an administrator compares when checking a certificate. @param now milliseconds */
export function certificateFacts(
  certificate: X509Certificate,
  use: CertificateFacts['use'],
  now: number,
): CertificateFacts {
  const { subject, issuer, validFromDate, validToDate, fingerprint256 } = certificate;
  return {
    use,
    subject: onOneLine(subject),
    issuer: onOneLine(issuer),
    notBefore: validFromDate.toISOString(),
    notAfter: validToDate.toISOString(),
    isExpired: validToDate.getTime() <= now,
    fingerprint: fingerprint256,
  };
}

/** Node puts each part of a name on its own line; nothing where there is no name. */
const onOneLine = (name: string | undefined): string => (name ?? '').replaceAll('\n', ', ');
