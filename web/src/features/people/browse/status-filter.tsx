import { chakra, Flex } from '@chakra-ui/react';
import type { SearchStatus } from '@orchestrate/shared';
import { statusLabel } from '../../../members/member-status.ts';
import { SEARCH_STATUSES } from './use-search-address.ts';

interface StatusFilterProps {
  /** undefined for all. */
  value: SearchStatus | undefined;
  onChange: (status: SearchStatus | undefined) => void;
}

const choices = [undefined, ...SEARCH_STATUSES];

/** Which members are shown, by their status. */
export function StatusFilter({ value, onChange }: StatusFilterProps) {
  return (
    <Flex role="group" aria-label="Status" gap="1.5" wrap="wrap">
      {choices.map((status) => (
        <chakra.button
          key={status ?? 'all'}
          type="button"
          aria-pressed={status === value}
          onClick={() => onChange(status)}
          h="9"
          px="3.5"
          borderRadius="l2"
          borderWidth="1px"
          bg="bg.panel"
          fontWeight="medium"
          whiteSpace="nowrap"
          cursor="pointer"
          outline="0"
          focusVisibleRing="outside"
          transition="background-color 120ms, border-color 120ms"
          _hover={{ bg: 'bg.muted' }}
          _pressed={{ bg: 'brand.subtle', borderColor: 'brand.line' }}
        >
          {status ? statusLabel(status) : 'All'}
        </chakra.button>
      ))}
    </Flex>
  );
}
