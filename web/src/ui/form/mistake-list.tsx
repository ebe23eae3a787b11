import { chakra, Text } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { translateShared } from '#words/words.ts';

interface MistakeListProps {
  /** Accessible name. Default: 'Mistakes'. */
  label?: string;
  mistakes: readonly { line: number | null; path: string; message: string }[];
}

/** Lists the mistakes in a file, with their line numbers. */
export function MistakeList({ label = t`Mistakes`, mistakes }: MistakeListProps) {
  return (
    <chakra.ul
      aria-label={label}
      listStyleType="none"
      display="flex"
      flexDirection="column"
      gap="2"
      maxH="20rem"
      overflowY="auto"
      tabIndex={0}
      outline="0"
      focusVisibleRing="outside"
    >
      {mistakes.map(({ line, path, message }, at) => (
        <chakra.li
          key={at}
          display="grid"
          gridTemplateColumns={{ base: 'minmax(0, 1fr)', sm: '4.5rem minmax(0, 1fr)' }}
          columnGap="3"
        >
          <Text color="fg.muted" textStyle="sm">
            {line !== null && t`Line ${line}`}
          </Text>
          <Text textStyle="sm" overflowWrap="anywhere">
            {path && <chakra.code>{path}: </chakra.code>}
            {translateShared(message)}
          </Text>
        </chakra.li>
      ))}
    </chakra.ul>
  );
}
