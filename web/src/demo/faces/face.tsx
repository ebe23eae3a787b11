import { Box } from '@chakra-ui/react';
import { Suspense } from 'react';
import { lazyPart } from '#lib/browser/lazy-part.ts';
import { InitialsAvatar } from '#ui/text/initials-avatar.tsx';

const DrawnFace = lazyPart(() => import('./drawn-face.tsx'));

/** Displays a user's face, with their initials as a placeholder. Purely decorative, so render it next to the name. */
export function Face({ name, size = '8' }: { name: string; size?: string }) {
  return (
    <Box aria-hidden boxSize={size} borderRadius="full" overflow="hidden" flexShrink="0">
      <Suspense fallback={<InitialsAvatar name={name} />}>
        <DrawnFace name={name} />
      </Suspense>
    </Box>
  );
}
