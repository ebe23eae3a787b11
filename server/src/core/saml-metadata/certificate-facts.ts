import { X509Certificate } from 'node:crypto';
import type { ServiceProvider } from '@orchestrate/shared';

export type CertificateFacts = ServiceProvider['certificates'][number];

/** Parses a certificate in PEM or bare base64. Returns undefined if the text is neither. */
export function readCertificate(text: string): X509Certificate | undefined {
  const base64 = text.replace(/-----(BEGIN|END) CERTIFICATE-----/g, '').replace(/\s+/g, '');
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) return undefined;
  try {
    return new X509Certificate(Buffer.from(base64, 'base64'));
  } catch {
    return undefined;
  }
}

/** Returns a certificate's DER as base64 on one line, the content of `ds:X509Certificate`. */
export const derBase64 = (certificate: X509Certificate): string => certificate.raw.toString('base64');

/** Returns the details that administrators compare to check a certificate. @param now milliseconds */
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

/** Joins the parts of a distinguished name, which Node puts on separate lines. Returns '' if there is no name. */
const onOneLine = (name: string | undefined): string => (name ?? '').replaceAll('\n', ', ');
