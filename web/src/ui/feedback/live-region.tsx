import { VisuallyHidden } from '@chakra-ui/react';
import { useEffect, useState } from 'react';

/**
 * Announces a string to screen readers. Sets the string after the region is mounted, or screen readers would skip it.
 */
export function LiveRegion({ text }: { text: string }) {
  const [announced, setAnnounced] = useState('');
  useEffect(() => setAnnounced(text), [text]);
  return <VisuallyHidden role="status">{announced}</VisuallyHidden>;
}
