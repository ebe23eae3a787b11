import { t } from '@lingui/core/macro';
import { CopyAction } from '../../ui/copy-action.tsx';
import { TypedCode } from '../../ui/typed-code.tsx';
import { PanelSkeleton } from './methods-skeleton.tsx';
import { PanelContent } from './request-panel.tsx';
import { PanelRefusal, RunningSignIn } from './running-sign-in.tsx';
import { useStartedSignIn } from './use-sign-in.ts';

/** Sign in by typing eight characters into the authenticator. */
export function CodeMethod({ orgCode }: { orgCode: string }) {
  const { started, refusal, isPending, isRenewed, renew } = useStartedSignIn(orgCode, 'DID');
  if (refusal) return <PanelRefusal refusal={refusal} onRetry={renew} />;
  if (!started?.did) return <PanelSkeleton />;
  return (
    <RunningSignIn
      key={started.loginId}
      started={started}
      takesFocus={isRenewed}
      waiting={t`Waiting for your device`}
      expired={t`This code has expired.`}
      renewLabel={t`Get a new code`}
      onRenew={renew}
      isRenewing={isPending}
      content={
        <PanelContent>
          <TypedCode code={started.did} label={t`Sign-in code`} />
        </PanelContent>
      }
      actions={<CopyAction text={started.did} label={t`Copy code`} />}
    />
  );
}
