import { t } from '@lingui/core/macro';
import { isUnencrypted } from '@orchestrate/shared';
import { AlertLine } from '#ui/feedback/alert-line.tsx';

interface UnencryptedWarningProps {
  addresses: readonly string[];
  /** True for addresses to open after signing out, false for the ones where sign-ins end. */
  isLogout?: boolean;
}

/**
 * Warns about addresses without TLS. Portals that are reachable from other machines refuse new ones (RFC 9700 §4.1.3).
 */
export function UnencryptedWarning({ addresses, isLogout = false }: UnencryptedWarningProps) {
  if (!addresses.some(isUnencrypted)) return null;
  return (
    <AlertLine tone="warning">
      {isLogout
        ? t`Others can read and change pages without TLS. Use https.`
        : t`Without TLS, others can read the sign-in codes sent to this address. Use https.`}
    </AlertLine>
  );
}
