import { Center } from '@chakra-ui/react';
import { KeyRound } from 'lucide-react';
import { PanelContent } from './request-panel.tsx';

/** Replaces the code or number that other sign-in methods display. */
export function PasskeyContent() {
  return (
    <PanelContent>
      <Center boxSize="28" borderRadius="full" bg="brand.subtle" color="brand.fg">
        <KeyRound size={52} strokeWidth={1.5} aria-hidden />
      </Center>
    </PanelContent>
  );
}
