import { Box, Flex, Input, Text } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { Eye, EyeOff } from 'lucide-react';
import { type ComponentProps, type ReactNode, useState } from 'react';
import { ActionButton } from '../feedback/action-button.tsx';
import { CodeDisplay, SECRET_PLACEHOLDER } from '../text/code-display.tsx';

interface SecretFieldProps {
  label: string;
  help?: ReactNode;
  value: string;
  /** False for values that aren't secret, e.g. a client ID. */
  isSecret?: boolean;
  /** Number of characters per group, which makes the value easier to read aloud. */
  groupSize?: number;
}

/** A read-only value to copy. A secret is hidden behind a fixed number of dots until it is revealed. */
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

interface SecretInputProps extends Omit<ComponentProps<'input'>, 'size' | 'width' | 'height' | 'color' | 'type'> {
  /** Noun for the button labels, e.g. 'client secret'. */
  label: string;
  /** True if a secret is saved. The input then shows a fixed number of dots, which typing replaces. */
  isSaved?: boolean;
}

/** An input for a secret, which shows dots until it is revealed. Use it inside a `FormField`. */
export function SecretInput({ label, isSaved = false, ...input }: SecretInputProps) {
  const [isRevealed, setIsRevealed] = useState(false);
  const isMasked = isSaved && !isRevealed;
  return (
    <Box position="relative" w="full">
      <Input
        {...input}
        {...(isMasked && { value: '', placeholder: SECRET_PLACEHOLDER })}
        type={isRevealed ? 'text' : 'password'}
        // This isn't a password for this site, so the browser shouldn't fill it in or save it.
        autoComplete="new-password"
        spellCheck={false}
        fontFamily="mono"
        pe="11"
        _placeholder={isMasked ? { color: 'fg', opacity: 1 } : undefined}
      />
      <ActionButton
        type="button"
        position="absolute"
        insetEnd="1"
        top="50%"
        translate="0 -50%"
        label={isRevealed ? t`Hide ${label}` : t`Reveal ${label}`}
        onClick={() => setIsRevealed(!isRevealed)}
      >
        {isRevealed ? <EyeOff /> : <Eye />}
      </ActionButton>
    </Box>
  );
}
