import { Center, Spinner } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';

/** Placeholder while a screen's code is loading. */
export function LoadingPage() {
  return (
    <Center flex="1" minH="60dvh" role="status" aria-label={t`Loading`}>
      <Spinner size="lg" color="brand.line" />
    </Center>
  );
}
