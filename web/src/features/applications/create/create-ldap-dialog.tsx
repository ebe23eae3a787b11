import type { CreateDialogProps } from './create-dialog-props.ts';
import { CreateNetworkDialog } from './create-network-dialog.tsx';

export default function CreateLdapDialog(props: CreateDialogProps) {
  return <CreateNetworkDialog {...props} type="ldap" />;
}
