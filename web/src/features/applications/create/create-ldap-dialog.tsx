import { CreateNetworkDialog } from './create-network-dialog.tsx';
import type { CreateDialogProps } from './general-info-dialog.tsx';

export default function CreateLdapDialog(props: CreateDialogProps) {
  return <CreateNetworkDialog {...props} type="ldap" />;
}
