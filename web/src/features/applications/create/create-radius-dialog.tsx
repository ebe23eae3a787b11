import type { CreateDialogProps } from './create-dialog-props.ts';
import { CreateNetworkDialog } from './create-network-dialog.tsx';

export default function CreateRadiusDialog(props: CreateDialogProps) {
  return <CreateNetworkDialog {...props} type="radius" />;
}
