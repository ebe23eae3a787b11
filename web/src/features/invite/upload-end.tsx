import { Text } from '@chakra-ui/react';
import { bulkInviteLive } from '@orchestrate/shared';
import { useLive } from '../../lib/api/use-live.ts';
import type { Upload } from './use-invite.ts';

const number = new Intl.NumberFormat('en');

/** How far an upload came before it ended, according to its channel, even after a reconnect. */
export function UploadEnd({ upload }: { upload: Upload }) {
  const { message } = useLive(bulkInviteLive, { uploadId: upload.id });
  if (!message || message.rowsDone === 0) return null;
  const { rowsDone, invited } = message;
  return (
    <Text role="status" color="fg.muted" maxW="sm" textAlign="center" textWrap="balance">
      {number.format(rowsDone)} {rowsDone === 1 ? 'row was' : 'rows were'} read before the upload ended, and{' '}
      {number.format(invited)} {invited === 1 ? 'person was' : 'people were'} invited. Upload the same file again:
      people already invited stay as they are.
    </Text>
  );
}
