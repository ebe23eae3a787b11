import { LIMITS } from '@orchestrate/shared';
import { useEffect, useState } from 'react';
import { logQuietly } from '#adapters/browser.ts';

/** Copies a string to the clipboard. `isCopied` is true for 3 s after a successful copy. Failures are only logged. */
export function useCopy(text: string): { isCopied: boolean; copy: () => Promise<void> } {
  const [copiedTimes, setCopiedTimes] = useState(0);
  const [isCopied, setIsCopied] = useState(false);

  useEffect(() => {
    if (copiedTimes === 0) return;
    setIsCopied(true);
    const timer = setTimeout(() => setIsCopied(false), LIMITS.clipboardConfirmationMs);
    return () => clearTimeout(timer);
  }, [copiedTimes]);

  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setCopiedTimes((times) => times + 1);
    } catch (error) {
      logQuietly("Couldn't write to the clipboard.", error);
    }
  };

  return { isCopied, copy };
}
