import { IconButton, type IconButtonProps } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { Check, Copy } from 'lucide-react';
import { useCopy } from '#lib/browser/use-copy.ts';
import { Hint } from './hint.tsx';

interface CopyButtonProps extends Omit<IconButtonProps, 'aria-label' | 'onClick'> {
  text: string;
  /** Accessible name, e.g. 'Copy activation code'. */
  label: string;
}

export function CopyButton({ text, label, ...rest }: CopyButtonProps) {
  const { isCopied, copy } = useCopy(text);
  const Icon = isCopied ? Check : Copy;
  return (
    <Hint text={isCopied ? t`Copied to clipboard` : label} {...(isCopied ? { isOpen: true } : {})}>
      <IconButton
        variant="ghost"
        size="sm"
        aria-label={isCopied ? t`Copied to clipboard` : label}
        color={isCopied ? 'success.fg' : undefined}
        onClick={() => void copy()}
        {...rest}
      >
        <Icon />
      </IconButton>
    </Hint>
  );
}
