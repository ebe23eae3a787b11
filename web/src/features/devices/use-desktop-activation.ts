import { t } from '@lingui/core/macro';
import { type ActivationData, getActivationCode, regenerateActivationCode } from '@orchestrate/shared';
import { useState } from 'react';
import useSWR from 'swr';
import type { ApiRefusal } from '../../lib/api/api-refusal.ts';
import { cacheKeyOf } from '../../lib/api/cache-key.ts';
import { call } from '../../lib/api/call.ts';
import { reasonOf } from '../../lib/notices/reason-of.ts';
import { toast } from '../../lib/notices/toaster.ts';
import { useSession } from '../../lib/session/session.ts';
import type { RunApproved } from './use-add-device-approval.ts';

/**
 * The signed-in person's desktop activation code (GET user/activation-code). An expired one is replaced by a new one,
 * without email, before it is shown; a locked one stays until the person asks for a new one.
 */
export function useDesktopActivation(run: RunApproved) {
  const { email = '', primaryAttr = '' } = useSession()?.profile ?? {};
  const [isRenewing, setIsRenewing] = useState(false);
  const generate = () =>
    run((approvalId) =>
      call(regenerateActivationCode, { body: { email, primaryAttr, sendEmail: false, type: 'desktop', approvalId } }),
    );

  const { data, error, mutate } = useSWR<ActivationData, ApiRefusal>(
    cacheKeyOf(getActivationCode, { query: {} }),
    async () => {
      const present = await run((approvalId) => call(getActivationCode, { query: { approvalId } }));
      return present.activationExpired && !present.activationLocked ? generate() : present;
    },
  );

  const renew = async () => {
    setIsRenewing(true);
    try {
      const renewed = await generate();
      await mutate(renewed, { revalidate: false });
    } catch (failure) {
      toast.error(t`Failed to generate activation code. Please try again`, reasonOf(failure));
    } finally {
      setIsRenewing(false);
    }
  };
  return { activation: data, refusal: error, renew, isRenewing };
}
