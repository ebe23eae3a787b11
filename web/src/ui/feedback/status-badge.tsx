import { Box, chakra } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { Hint } from './hint.tsx';

/** Replaces an activation code after too many wrong attempts. Keyboard users can open the reason. */
export function AccountLocked() {
  return (
    <Hint text={t`Account possibly locked due to repeated wrong code attempts.`}>
      <chakra.span tabIndex={0} borderRadius="l1" outline="0" focusVisibleRing="outside">
        <StatusBadge status={t`Account Locked`} tone="danger" />
      </chakra.span>
    </Hint>
  );
}

export type Tone = 'success' | 'warning' | 'danger' | 'info' | 'neutral';

interface StatusBadgeProps {
  /** Displayed status, e.g. 'Active'. */
  status: string;
  tone: Tone;
}

/** A status shown as a dot and a word, so that its meaning doesn't depend on colour alone. */
export function StatusBadge({ status, tone }: StatusBadgeProps) {
  return (
    <chakra.span
      colorPalette={tone}
      display="inline-flex"
      alignItems="center"
      gap="1.5"
      h="6"
      px="2"
      borderRadius="l1"
      bg="colorPalette.subtle"
      color="colorPalette.fg"
      textStyle="xs"
      fontWeight="medium"
      whiteSpace="nowrap"
      flexShrink="0"
      _highContrast={{ borderWidth: '1px', borderColor: 'CanvasText' }}
    >
      <Box
        as="span"
        aria-hidden
        boxSize="1.5"
        borderRadius="full"
        bg="currentcolor"
        _highContrast={{ bg: 'CanvasText' }}
      />
      {status}
    </chakra.span>
  );
}
