import { CreateRadiusOrLdapDialog } from './create-radius-or-ldap-dialog.tsx';
import type { CreateDialogProps } from './general-info-dialog.tsx';

export default function CreateLdapDialog(props: CreateDialogProps) {
  return <CreateRadiusOrLdapDialog {...props} type="ldap" />;
}
