import { Button } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { Check, Copy } from 'lucide-react';
import { useCopy } from '#lib/browser/use-copy.ts';

/** A copy button with a text label, for the sign-in page, which doesn't load tooltips. */
export function CopyAction({ text, label }: { text: string; label: string }) {
  const { isCopied, copy } = useCopy(text);
  const Icon = isCopied ? Check : Copy;
  return (
    <Button variant="ghost" size="sm" onClick={() => void copy()}>
      <Icon aria-hidden />
      {isCopied ? t`Copied to clipboard` : label}
    </Button>
  );
}
