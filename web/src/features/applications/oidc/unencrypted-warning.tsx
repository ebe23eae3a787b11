import { t } from '@lingui/core/macro';
import { isUnencrypted } from '@orchestrate/shared';
import { AlertLine } from '#ui/feedback/alert-line.tsx';

interface UnencryptedWarningProps {
  addresses: readonly string[];
  /** True for post-logout addresses, false for callback URLs. */
  isLogout?: boolean;
}

/**
 * Warns about addresses without TLS. Portals that other machines can reach don't accept new unencrypted addresses
 * (RFC 9700 §4.1.3).
 */
export function UnencryptedWarning({ addresses, isLogout = false }: UnencryptedWarningProps) {
  if (!addresses.some(isUnencrypted)) return null;
  return (
    <AlertLine tone="warning">
      {isLogout
        ? t`Without TLS, others can read and change these pages. Use https.`
        : t`Without TLS, others can read the sign-in codes sent to this address. Use https.`}
    </AlertLine>
  );
}
