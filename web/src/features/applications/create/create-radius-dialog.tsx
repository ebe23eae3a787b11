import { CreateRadiusOrLdapDialog } from './create-radius-or-ldap-dialog.tsx';
import type { CreateDialogProps } from './general-info-dialog.tsx';

export default function CreateRadiusDialog(props: CreateDialogProps) {
  return <CreateRadiusOrLdapDialog {...props} type="radius" />;
}
