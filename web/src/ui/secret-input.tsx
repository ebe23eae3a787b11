import { Box, IconButton, Input } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { Eye, EyeOff } from 'lucide-react';
import { type ComponentProps, useState } from 'react';

interface SecretInputProps extends Omit<ComponentProps<'input'>, 'size' | 'width' | 'height' | 'color' | 'type'> {
  /** Names it for people, e.g. 'client secret'. */
  label: string;
}

/** An input for a secret: dots until it is revealed. Use it inside a `FormField`. */
export function SecretInput({ label, ...input }: SecretInputProps) {
  const [isRevealed, setIsRevealed] = useState(false);
  return (
    <Box position="relative" w="full">
      <Input
        {...input}
        type={isRevealed ? 'text' : 'password'}
        // Not a password for this page: the browser should neither fill it in nor save it.
        autoComplete="new-password"
        spellCheck={false}
        fontFamily="mono"
        pe="11"
      />
      <IconButton
        type="button"
        variant="ghost"
        size="sm"
        position="absolute"
        insetEnd="1"
        top="50%"
        translate="0 -50%"
        aria-label={isRevealed ? t`Hide ${label}` : t`Reveal ${label}`}
        onClick={() => setIsRevealed(!isRevealed)}
      >
        {isRevealed ? <EyeOff /> : <Eye />}
      </IconButton>
    </Box>
  );
}
