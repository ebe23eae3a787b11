import { Button, Menu, Portal } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { ChevronDown, FileKey2, FolderTree, KeyRound, type LucideIcon, Plus, Router } from 'lucide-react';
import { useCan } from '../../../lib/session/session.ts';
import { CREATE_DIALOGS, type CreateDialogName } from './create-dialogs.tsx';

const TYPES = [
  { value: 'create-saml', label: 'SAML', icon: FileKey2 },
  { value: 'create-oidc', label: 'OIDC', icon: KeyRound },
  { value: 'create-radius', label: 'RADIUS', icon: Router },
  { value: 'create-ldap', label: 'LDAP', icon: FolderTree },
] as const satisfies { value: CreateDialogName; label: string; icon: LucideIcon }[];

/** Which kind of application to create. */
export function CreateMenu({ onChoose }: { onChoose: (dialog: CreateDialogName) => void }) {
  const mayAll = useCan('SESSION_MANAGEMENT');
  return (
    <Menu.Root
      positioning={{ placement: 'bottom-end' }}
      onSelect={({ value }) => onChoose(CREATE_DIALOGS.find((dialog) => dialog === value) ?? 'create-oidc')}
    >
      <Menu.Trigger asChild>
        <Button>
          <Plus />
          {t`Add application`}
          <ChevronDown />
        </Button>
      </Menu.Trigger>
      <Portal>
        <Menu.Positioner>
          <Menu.Content>
            {TYPES.filter(({ value }) => mayAll || value === 'create-saml').map(({ value, label, icon: Icon }) => (
              <Menu.Item key={value} value={value}>
                <Icon />
                {label}
              </Menu.Item>
            ))}
          </Menu.Content>
        </Menu.Positioner>
      </Portal>
    </Menu.Root>
  );
}
