import { Text } from '@chakra-ui/react';
import { plural, t } from '@lingui/core/macro';
import { bulkInviteLive } from '@orchestrate/shared';
import { useLive } from '../../lib/api/use-live.ts';
import type { Upload } from './use-invite.ts';

/** How far an upload came before it ended, according to its channel, even after a reconnect. */
export function UploadEnd({ upload }: { upload: Upload }) {
  const { message } = useLive(bulkInviteLive, { uploadId: upload.id });
  if (!message || message.rowsDone === 0) return null;
  const { rowsDone, invited } = message;
  return (
    <Text role="status" color="fg.muted" maxW="sm" textAlign="center" textWrap="balance">
      {t`${plural(rowsDone, { one: '# row was', other: '# rows were' })} read before the upload ended, and ${plural(invited, { one: '# person was', other: '# people were' })} invited. Upload the same file again: people already invited stay as they are.`}
    </Text>
  );
}
