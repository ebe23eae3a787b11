import { Button, Flex, Spinner, Text } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { type AuthState, exchangeExternalSignIn } from '@orchestrate/shared';
import { useEffect } from 'react';
import useSWRImmutable from 'swr/immutable';
import type { ApiRefusal } from '#lib/api/api-refusal.ts';
import { call } from '#lib/api/call.ts';
import { resultText } from '#lib/notices/result-text.ts';
import { startSession } from '#lib/session/session.ts';
import { useApprovalState } from '#lib/session/use-approval-state.ts';
import { ApprovalWait } from '#ui/dialog/approval-wait.tsx';
import { AlertLine } from '#ui/feedback/alert-line.tsx';

const OVER = t`This sign-in has expired or has already been used. Start again.`;
const DENIED = t`The sign-in was denied on your device. No one was signed in.`;

interface ExternalSignInProps {
  /** Parameters in the URL fragment after single sign-on, including a code that works only once. */
  ended: URLSearchParams;
  /** Returns to the sign-in page. */
  onAgain: () => void;
}

/**
 * Completes single sign-on by starting the session. The route guard then opens the portal. Some users have to approve
 * the sign-in on their own device first (decision 140).
 */
export default function ExternalSignIn({ ended, onAgain }: ExternalSignInProps) {
  const code = ended.get('code') ?? '';
  const approvalId = ended.get('approval');
  const approval = useApprovalState(approvalId);
  const isWaiting = approvalId !== null && (approval === undefined || approval === 'pending');
  const { data, error } = useSWRImmutable<AuthState, ApiRefusal>(isWaiting ? null : ['external sign-in', code], () =>
    call(exchangeExternalSignIn, { body: { code } }),
  );
  useEffect(() => {
    if (data) startSession(data);
  }, [data]);

  if (isWaiting) {
    return (
      <Flex direction="column" align="center" gap="5">
        <ApprovalWait approvalId={approvalId} number={ended.get('number') ?? ''}>
          {t`Your identity provider has confirmed your identity. Because of your permissions, you also have to approve this sign-in on your device.`}
        </ApprovalWait>
        <Button variant="ghost" size="sm" onClick={onAgain}>
          {t`Use another sign-in method`}
        </Button>
      </Flex>
    );
  }
  if (!error) {
    return (
      <Flex role="status" align="center" gap="3" color="fg.muted" minH="12">
        <Spinner size="sm" />
        <Text>{t`Signing you in…`}</Text>
      </Flex>
    );
  }
  return (
    <Flex direction="column" gap="5">
      <AlertLine>{sentenceOf(error)}</AlertLine>
      <Button size="xl" w="full" onClick={onAgain}>
        {t`Back to sign-in`}
      </Button>
    </Flex>
  );
}

function sentenceOf(error: ApiRefusal): string {
  if (error.resultName === 'EXPIRED') return OVER;
  return error.resultName === 'LOGIN_NO_CONSENT' ? DENIED : resultText(error);
}
