import { addPasskey, beginPasskey, type Confirmation } from '@orchestrate/shared';
import { useEffect, useState } from 'react';
import { ApiRefusal } from '../../lib/api/api-refusal.ts';
import { call } from '../../lib/api/call.ts';
import { useInvalidate } from '../../lib/api/use-write.ts';
import { resultText } from '../../lib/notices/result-text.ts';
import { makePasskey, stopAsking } from '../../lib/session/passkey-ceremony.ts';
import type { RunApproved } from './use-add-device-approval.ts';

export type PasskeyAttempt =
  | { step: 'waiting' }
  | { step: 'complete'; name: string; confirmation: Confirmation | undefined }
  | { step: 'limit-reached' }
  | { step: 'failed'; text: string; requestId: string | undefined };

/** Adding a passkey, begun on mount: the browser makes one, and the portal stores its public key. */
export function useAddPasskey(run: RunApproved): PasskeyAttempt {
  const invalidate = useInvalidate();
  const [attempt, setAttempt] = useState<PasskeyAttempt>({ step: 'waiting' });

  useEffect(() => {
    let isLeft = false;
    const add = async () => {
      const { registrationId, options } = await run((approvalId) => call(beginPasskey, { body: { approvalId } }));
      if (isLeft) return;
      const credential = await makePasskey(options);
      const { name, confirmation } = await call(addPasskey, { body: { registrationId, credential } });
      await invalidate('Device Listing', 'Member Profile');
      if (!isLeft) setAttempt({ step: 'complete', name, confirmation });
    };
    add().catch((failure: unknown) => {
      if (!isLeft) setAttempt(failedAttempt(failure));
    });
    return () => {
      isLeft = true;
      stopAsking();
    };
  }, [invalidate, run]);

  return attempt;
}

function failedAttempt(failure: unknown): PasskeyAttempt {
  const { resultName, requestId } = failure instanceof ApiRefusal ? failure : {};
  if (resultName === 'DEVICE_ADD_LIMIT_REACHED') return { step: 'limit-reached' };
  return { step: 'failed', text: resultText(failure), requestId };
}
