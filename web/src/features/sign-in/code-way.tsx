import { CopyAction } from '../../ui/copy-action.tsx';
import { TypedCode } from '../../ui/typed-code.tsx';
import { RunningSignIn, StageRefusal } from './running-sign-in.tsx';
import { StageFace } from './stage.tsx';
import { useStartedSignIn } from './use-sign-in.ts';
import { StageSkeleton } from './ways-skeleton.tsx';

/** Sign in by typing eight characters into the authenticator. */
export function CodeWay({ orgCode }: { orgCode: string }) {
  const { started, refusal, isPending, isRenewed, renew } = useStartedSignIn(orgCode, 'DID');
  if (refusal) return <StageRefusal refusal={refusal} onRetry={renew} />;
  if (!started?.did) return <StageSkeleton />;
  return (
    <RunningSignIn
      key={started.loginId}
      started={started}
      takesFocus={isRenewed}
      waiting="Waiting for your device"
      expired="This code has expired."
      renewLabel="Get a new code"
      onRenew={renew}
      isRenewing={isPending}
      face={
        <StageFace>
          <TypedCode code={started.did} label="Sign-in code" />
        </StageFace>
      }
      actions={<CopyAction text={started.did} label="Copy code" />}
    />
  );
}
