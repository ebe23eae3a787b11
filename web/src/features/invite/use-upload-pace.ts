import { bulkInviteLive, SECOND } from '@orchestrate/shared';
import { useEffect, useState } from 'react';
import { now } from '../../adapters/clock.ts';
import { useLive } from '../../lib/api/use-live.ts';
import { type UploadPace, uploadPace } from './upload-pace.ts';
import type { Upload } from './use-invite.ts';

/** How far an upload is, as its channel tells. */
export function useUploadPace({ id, startedAt }: Upload): UploadPace {
  const { message } = useLive(bulkInviteLive, { uploadId: id });
  const [time, setTime] = useState(now);
  useEffect(() => {
    const timer = setInterval(() => setTime(now()), SECOND / 2);
    return () => clearInterval(timer);
  }, []);
  return uploadPace(message, Math.max(time - startedAt, 0));
}
