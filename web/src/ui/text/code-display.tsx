import { chakra, Flex } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { Eye, EyeOff } from 'lucide-react';
import { useState } from 'react';
import { ActionButton } from '../feedback/action-button.tsx';
import { CopyButton } from '../feedback/copy-button.tsx';

interface CodeDisplayProps {
  /** Code without spaces, as it is copied. */
  code: string;
  /** Accessible name, e.g. 'Activation code'. */
  label: string;
  size?: 'md' | 'lg';
  /** Number of characters per group, which makes the code easier to read aloud; 0 for IDs and keys. */
  groupSize?: number;
  /** Hides the code behind a fixed number of dots until it is revealed. */
  isSecret?: boolean;
}

/** Placeholder shown for every secret, which hides the secret's length. */
export const SECRET_PLACEHOLDER = '•'.repeat(12);

function groupsOf(code: string, size: number): string[] {
  if (size <= 0) return [code];
  return Array.from({ length: Math.ceil(code.length / size) }, (_, at) => code.slice(at * size, (at + 1) * size));
}

/** A code or key in a monospaced box, with buttons to reveal and copy it. */
export function CodeDisplay({ code, label, size = 'md', groupSize = 0, isSecret = false }: CodeDisplayProps) {
  const [isRevealed, setIsRevealed] = useState(!isSecret);
  const isLarge = size === 'lg';
  const groups = groupsOf(code, groupSize);
  return (
    <Flex
      align="center"
      gap="1"
      minH={isLarge ? '14' : '10'}
      ps={isLarge ? '5' : '3'}
      pe={isLarge ? '3' : '1'}
      borderWidth="1px"
      borderRadius="l2"
      bg="bg.subtle"
    >
      <chakra.code
        role="group"
        aria-label={isRevealed ? `${label}: ${code}` : t`${label}, hidden`}
        flex="1"
        minW="0"
        py="1.5"
        display="flex"
        columnGap="0.6em"
        flexWrap="wrap"
        textStyle="code"
        fontSize={isLarge ? '2xl' : 'md'}
        fontWeight={isLarge ? 'semibold' : 'normal'}
        letterSpacing={groups.length > 1 ? 'wide' : undefined}
      >
        {isRevealed
          ? groups.map((group, at) => (
              // Fingerprints contain no spaces, so let the line break anywhere.
              <chakra.span key={at} minW="0" overflowWrap="anywhere">
                {group}
              </chakra.span>
            ))
          : SECRET_PLACEHOLDER}
      </chakra.code>
      {isSecret && (
        <ActionButton
          label={isRevealed ? t`Hide ${label}` : t`Reveal ${label}`}
          onClick={() => setIsRevealed(!isRevealed)}
        >
          {isRevealed ? <EyeOff /> : <Eye />}
        </ActionButton>
      )}
      <CopyButton text={code} label={t`Copy ${label}`} />
    </Flex>
  );
}
