import { chakra } from '@chakra-ui/react';
import { Hint } from './hint.tsx';
import { StatusBadge } from './status-badge.tsx';

/** What an activation code is shown as after too many wrong tries; the reason is in reach of the keyboard. */
export function AccountLocked() {
  return (
    <Hint text="Account possibly locked due to repeated wrong code attempts.">
      <chakra.span tabIndex={0} borderRadius="l1" outline="0" focusVisibleRing="outside">
        <StatusBadge status="Account Locked" tone="danger" />
      </chakra.span>
    </Hint>
  );
}
