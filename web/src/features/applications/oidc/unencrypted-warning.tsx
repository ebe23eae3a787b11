import { t } from '@lingui/core/macro';
import { isUnencrypted } from '@orchestrate/shared';
import { AlertLine } from '#ui/feedback/alert-line.tsx';

interface UnencryptedWarningProps {
  addresses: readonly string[];
  /** Whether people go there after signing out; otherwise sign-ins end there. */
  isLogout?: boolean;
}

/** Warns about addresses without TLS. Portals that others can reach refuse new ones (RFC 9700 §4.1.3). */
export function UnencryptedWarning({ addresses, isLogout = false }: UnencryptedWarningProps) {
  if (!addresses.some(isUnencrypted)) return null;
  return (
    <AlertLine tone="warning">
      {isLogout
        ? t`Others can read and change what an address without TLS shows: use https.`
        : t`Sign-ins end at an address without TLS, where others can read their codes: use https.`}
    </AlertLine>
  );
}
