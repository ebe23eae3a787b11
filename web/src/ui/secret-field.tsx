import { Flex, Text } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import { CodeDisplay } from './code-display.tsx';

interface SecretFieldProps {
  label: string;
  help?: ReactNode;
  value: string;
  /** False for values that are shown and copied but aren't secret, e.g. a client id. */
  isSecret?: boolean;
  /** Characters per group, of what may be read aloud. */
  groupSize?: number;
}

/** A value to read and copy, never typed; a secret is hidden behind a fixed number of dots until it is revealed. */
export function SecretField({ label, help, value, isSecret = true, groupSize = 0 }: SecretFieldProps) {
  return (
    <Flex direction="column" gap="1.5" minW="0">
      <Text textStyle="sm" fontWeight="medium">
        {label}
      </Text>
      <CodeDisplay code={value} label={label} isSecret={isSecret} groupSize={groupSize} />
      {help && (
        <Text textStyle="xs" color="fg.muted">
          {help}
        </Text>
      )}
    </Flex>
  );
}
