import { chakra } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { Hint } from './hint.tsx';
import { StatusBadge } from './status-badge.tsx';

/** Shown instead of an activation code after too many wrong tries; keyboards can reach the reason too. */
export function AccountLocked() {
  return (
    <Hint text={t`Account possibly locked due to repeated wrong code attempts.`}>
      <chakra.span tabIndex={0} borderRadius="l1" outline="0" focusVisibleRing="outside">
        <StatusBadge status={t`Account Locked`} tone="danger" />
      </chakra.span>
    </Hint>
  );
}
