import { VisuallyHidden } from '@chakra-ui/react';
import { useEffect, useState } from 'react';

/** Announces a text to screen readers. It is set after the region is mounted, or screen readers skip it. */
export function LiveRegion({ text }: { text: string }) {
  const [announced, setAnnounced] = useState('');
  useEffect(() => setAnnounced(text), [text]);
  return <VisuallyHidden role="status">{announced}</VisuallyHidden>;
}
