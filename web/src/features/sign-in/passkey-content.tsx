import { Center } from '@chakra-ui/react';
import { KeyRound } from 'lucide-react';
import { PanelContent } from './request-panel.tsx';

/** Stands where a code or number is shown in the other ways to sign in. */
export function PasskeyContent() {
  return (
    <PanelContent>
      <Center boxSize="28" borderRadius="full" bg="brand.subtle" color="brand.fg">
        <KeyRound size={52} strokeWidth={1.5} aria-hidden />
      </Center>
    </PanelContent>
  );
}
