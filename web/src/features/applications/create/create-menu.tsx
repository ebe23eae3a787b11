import { Button, Menu, Portal } from '@chakra-ui/react';
import { ChevronDown, FileKey2, FolderTree, KeyRound, Plus, Router } from 'lucide-react';
import { CREATE_DIALOGS, type CreateDialogName } from './create-dialogs.tsx';

/** Which kind of application to create. */
export function CreateMenu({ onChoose }: { onChoose: (dialog: CreateDialogName) => void }) {
  return (
    <Menu.Root
      positioning={{ placement: 'bottom-end' }}
      onSelect={({ value }) => onChoose(CREATE_DIALOGS.find((dialog) => dialog === value) ?? 'create-oidc')}
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
            <Menu.Item value="create-radius">
              <Router />
              RADIUS
            </Menu.Item>
            <Menu.Item value="create-ldap">
              <FolderTree />
              LDAP
            </Menu.Item>
          </Menu.Content>
        </Menu.Positioner>
      </Portal>
    </Menu.Root>
  );
}
