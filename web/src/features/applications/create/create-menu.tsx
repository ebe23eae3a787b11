import { Button, Menu, Portal } from '@chakra-ui/react';
import { ChevronDown, FileKey2, KeyRound, Plus } from 'lucide-react';
import type { CreateDialogName } from './create-dialogs.tsx';

/** Which kind of application to create. */
export function CreateMenu({ onChoose }: { onChoose: (dialog: CreateDialogName) => void }) {
  return (
    <Menu.Root
      positioning={{ placement: 'bottom-end' }}
      onSelect={({ value }) => onChoose(value === 'create-saml' ? 'create-saml' : 'create-oidc')}
    >
      <Menu.Trigger asChild>
        <Button>
          <Plus />
          Add application
          <ChevronDown />
        </Button>
      </Menu.Trigger>
      <Portal>
        <Menu.Positioner>
          <Menu.Content>
            <Menu.Item value="create-saml">
              <FileKey2 />
              SAML
            </Menu.Item>
            <Menu.Item value="create-oidc">
              <KeyRound />
              OIDC
            </Menu.Item>
          </Menu.Content>
        </Menu.Positioner>
      </Portal>
    </Menu.Root>
  );
}
