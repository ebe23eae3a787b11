import { Box, chakra } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { Hint } from './hint.tsx';

/** Replaces an activation code after too many wrong attempts. Keyboard users can open the reason. */
export function AccountLocked() {
  return (
    <Hint text={t`Account possibly locked due to repeated wrong code attempts.`}>
      <chakra.span tabIndex={0} borderRadius="l1" outline="0" focusVisibleRing="outside">
        <StatusBadge status={t`Account Locked`} tone="danger" needsAction />
      </chakra.span>
    </Hint>
  );
}

export type Tone = 'success' | 'warning' | 'danger' | 'info' | 'neutral';

export interface StatusBadgeProps {
  /** Displayed status, e.g. 'Active'. */
  status: string;
  tone: Tone;
  /** True if somebody must do something about it. Only these are drawn as pills. */
  needsAction?: boolean;
}

/** Only problems have a coloured word, so that they stand out in a long list. */
const WORD_COLOURS: Readonly<Record<Tone, string>> = {
  success: 'fg.muted',
  neutral: 'fg.muted',
  info: 'fg',
  warning: 'colorPalette.fg',
  danger: 'colorPalette.fg',
};

const PILL = {
  h: '6',
  px: '2',
  borderRadius: 'l1',
  bg: 'colorPalette.subtle',
  color: 'colorPalette.fg',
  _highContrast: { borderWidth: '1px', borderColor: 'CanvasText' },
};

/** A status shown as a dot and a word, so that its meaning doesn't depend on colour alone. */
export function StatusBadge({ status, tone, needsAction = false }: StatusBadgeProps) {
  const isProblem = tone === 'warning' || tone === 'danger';
  return (
    <chakra.span
      colorPalette={tone}
      display="inline-flex"
      alignItems="center"
      gap="1.5"
      minH="5"
      color={WORD_COLOURS[tone]}
      textStyle={needsAction ? 'xs' : 'sm'}
      fontWeight={needsAction || isProblem ? 'medium' : 'normal'}
      whiteSpace="nowrap"
      flexShrink="0"
      {...(needsAction && PILL)}
    >
      <Box
        as="span"
        aria-hidden
        boxSize={needsAction ? '1.5' : '2'}
        borderRadius="full"
        bg={needsAction ? 'currentcolor' : 'colorPalette.border'}
        _highContrast={{ bg: 'CanvasText' }}
      />
      {status}
    </chakra.span>
  );
}
