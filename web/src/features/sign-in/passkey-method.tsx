import { t } from '@lingui/core/macro';
import { approveByPasskey, type PasskeyRequestOptions } from '@orchestrate/shared';
import { useEffect, useState } from 'react';
import { ApiRefusal } from '#lib/api/api-refusal.ts';
import { call } from '#lib/api/call.ts';
import { resultText } from '#lib/notices/result-text.ts';
import { cancelPasskey, requestPasskey } from '#lib/session/passkey-ceremony.ts';
import { PanelSkeleton } from './methods-skeleton.tsx';
import type { StartedSignIn } from './pending-sign-in.ts';
import { PasskeyContent } from './request-panel.tsx';
import { PanelRefusal, RunningSignIn } from './running-sign-in.tsx';
import { useStartedSignIn } from './use-sign-in.ts';

/** Signs in with a passkey. The browser prompts for it on mount. */
export default function PasskeyMethod({ orgCode }: { orgCode: string }) {
  const { started, refusal, isPending, isRenewed, renew } = useStartedSignIn(orgCode, 'WEBAUTHN');
  if (refusal) return <PanelRefusal refusal={refusal} onRetry={renew} />;
  if (!started?.passkey) return <PanelSkeleton />;
  return (
    <PasskeySignIn
      key={started.loginId}
      started={started}
      options={started.passkey}
      takesFocus={isRenewed}
      onRenew={renew}
      isRenewing={isPending}
    />
  );
}

interface PasskeySignInProps {
  started: StartedSignIn;
  options: PasskeyRequestOptions;
  takesFocus: boolean;
  onRenew: () => void;
  isRenewing: boolean;
}

function PasskeySignIn({ options, ...running }: PasskeySignInProps) {
  const failure = useApproval(running.started.loginId, options);
  return (
    <RunningSignIn
      {...running}
      failure={failure}
      waiting={t`Waiting for your passkey`}
      expired={t`The passkey request has expired.`}
      renewLabel={t`Retry`}
      content={<PasskeyContent />}
    />
  );
}

/** Prompts for a passkey and approves the sign-in with it. Returns the refusal if the sign-in fails. */
function useApproval(loginId: string, options: PasskeyRequestOptions): ApiRefusal | undefined {
  const [failure, setFailure] = useState<ApiRefusal>();
  useEffect(() => {
    let isLeft = false;
    const approve = async () => {
      const credential = await requestPasskey(options);
      if (!isLeft) await call(approveByPasskey, { body: { loginId, credential } });
    };
    approve().catch((reason: unknown) => {
      if (isLeft) return;
      setFailure(reason instanceof ApiRefusal ? reason : new ApiRefusal(0, { message: resultText(reason) }));
    });
    return () => {
      isLeft = true;
      cancelPasskey();
    };
  }, [loginId, options]);
  return failure;
}
