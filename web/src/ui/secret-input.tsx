import { Box, IconButton, Input } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { Eye, EyeOff } from 'lucide-react';
import { type ComponentProps, useState } from 'react';
import { DOTS } from './code-display.tsx';

interface SecretInputProps extends Omit<ComponentProps<'input'>, 'size' | 'width' | 'height' | 'color' | 'type'> {
  /** Names it for people, e.g. 'client secret'. */
  label: string;
  /** Whether it holds a saved secret: hidden, it is a fixed number of dots, and what is typed replaces it. */
  isSaved?: boolean;
}

/** An input for a secret: dots until it is revealed. Use it inside a `FormField`. */
export function SecretInput({ label, isSaved = false, ...input }: SecretInputProps) {
  const [isRevealed, setIsRevealed] = useState(false);
  const isMasked = isSaved && !isRevealed;
  return (
    <Box position="relative" w="full">
      <Input
        {...input}
        {...(isMasked && { value: '', placeholder: DOTS })}
        type={isRevealed ? 'text' : 'password'}
        // Not a password for this page: the browser should neither fill it in nor save it.
        autoComplete="new-password"
        spellCheck={false}
        fontFamily="mono"
        pe="11"
        _placeholder={isMasked ? { color: 'fg', opacity: 1 } : undefined}
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
