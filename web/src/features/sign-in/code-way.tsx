import { chakra } from '@chakra-ui/react';
import { LIMITS } from '@orchestrate/shared';
import { CopyAction } from './copy-action.tsx';
import { RunningSignIn, StageRefusal } from './running-sign-in.tsx';
import { StageFace } from './stage.tsx';
import { useStartedSignIn } from './use-sign-in.ts';
import { StageSkeleton } from './ways-skeleton.tsx';

const HALF = LIMITS.typedCodeLength / 2;

/** Two lines of four, large enough to type from across the desk. */
function TypedCode({ code }: { code: string }) {
  return (
    <chakra.code
      role="img"
      aria-label={`Sign-in code: ${[...code].join(' ')}`}
      display="flex"
      flexDirection="column"
      textStyle="code"
      fontSize="4rem"
      fontWeight="semibold"
      letterSpacing="code"
      lineHeight="short"
      // Letter spacing also follows the last letter, which would push the code off the middle.
      ps="0.12em"
    >
      <span>{code.slice(0, HALF)}</span>
      <span>{code.slice(HALF)}</span>
    </chakra.code>
  );
}

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
          <TypedCode code={started.did} />
        </StageFace>
      }
      actions={<CopyAction text={started.did} label="Copy code" />}
    />
  );
}
