import { VisuallyHidden } from '@chakra-ui/react';
import { useEffect, useState } from 'react';

/** Says to screen readers what has just appeared: a region is told only if its text comes after it. */
export function Told({ text }: { text: string }) {
  const [told, setTold] = useState('');
  useEffect(() => setTold(text), [text]);
  return <VisuallyHidden role="status">{told}</VisuallyHidden>;
}
