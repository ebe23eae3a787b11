import { chakra, Flex, Text } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import type { TryCheck } from '@orchestrate/shared';
import { Check, X } from 'lucide-react';
import { Hint } from '../feedback/hint.tsx';

/** A list item for one check of a token or response: whether it passed, and details. */
export function CheckRow({ check: { name, isMet, detail } }: { check: TryCheck }) {
  const Icon = isMet ? Check : X;
  return (
    <Flex as="li" gap="3" px="5" py="3" borderTopWidth="1px" align="flex-start">
      <Flex
        role="img"
        aria-label={isMet ? t`Passed` : t`Failed`}
        colorPalette={isMet ? 'success' : 'danger'}
        boxSize="6"
        flexShrink="0"
        align="center"
        justify="center"
        borderRadius="full"
        bg="colorPalette.subtle"
        color="colorPalette.fg"
      >
        <Icon size={14} aria-hidden />
      </Flex>
      <Text fontWeight="medium" w={{ base: '28', sm: '40' }} flexShrink="0">
        {name}
      </Text>
      <Text color="fg.muted" minW="0" overflowWrap="anywhere">
        {detail}
      </Text>
    </Flex>
  );
}

const mask = (path: string) =>
  `url("data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16' fill='none' stroke='black' stroke-width='2.25' stroke-linecap='round' stroke-linejoin='round'%3E%3Cpath d='${path}'/%3E%3C/svg%3E")`;

const checked = { bg: 'success.solid', borderColor: 'success.solid' } as const;

/** The look of a native checkbox on light and dark pages. In forced-colors mode, it is the system's. */
export const checkboxStyle = {
  appearance: 'none',
  display: 'block',
  boxSize: '4',
  flexShrink: '0',
  borderWidth: '1px',
  borderColor: 'fg.subtle',
  borderRadius: 'xs',
  bg: 'bg.panel',
  cursor: 'pointer',
  outline: '0',
  focusVisibleRing: 'outside',
  _before: {
    content: '""',
    display: 'block',
    boxSize: 'full',
    bg: 'success.contrast',
    maskImage: 'none',
    opacity: 0,
  },
  '&:checked': { ...checked, _before: { maskImage: mask('M3.5 8.5l3 3 6-7'), opacity: 1 } },
  '&:indeterminate': { ...checked, _before: { maskImage: mask('M4 8h8'), opacity: 1 } },
  _highContrast: { appearance: 'auto', _before: { content: 'none' } },
} as const;

interface CheckboxProps {
  label: string;
  isChecked: boolean;
  /** True for a group's checkbox if only some of the group's items are checked. */
  isMixed?: boolean;
  /** Why the checkbox can't be changed. It stays focusable so that keyboard users can read the reason. */
  obstacle?: string | undefined;
  isStrong?: boolean;
  onChange: (isChecked: boolean) => void;
}

/** A native checkbox with a clickable label. */
export function Checkbox({ label, isChecked, isMixed = false, obstacle, isStrong = false, onChange }: CheckboxProps) {
  return (
    <chakra.label
      display="inline-flex"
      alignItems="flex-start"
      gap="2.5"
      py="1"
      cursor={obstacle ? 'not-allowed' : 'pointer'}
      color={obstacle ? 'fg.muted' : undefined}
      fontWeight={isStrong ? 'semibold' : undefined}
    >
      <Hint text={obstacle} placement="right">
        <chakra.input
          type="checkbox"
          {...checkboxStyle}
          checked={isChecked}
          ref={(input: HTMLInputElement | null) => {
            if (input) input.indeterminate = isMixed;
          }}
          aria-disabled={obstacle ? true : undefined}
          onChange={() => {
            if (!obstacle) onChange(!isChecked);
          }}
          mt="0.5"
          opacity={obstacle ? 0.6 : 1}
          cursor="inherit"
        />
      </Hint>
      {label}
    </chakra.label>
  );
}
