import { Flex } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { Navigate, useParams } from 'react-router-dom';
import { PageHeader } from '../../ui/page-header.tsx';
import { callerPaths } from './caller-address.ts';
import { CallerCode } from './caller-code.tsx';
import { CallerConfirmed } from './caller-confirmed.tsx';
import { CallerIntro } from './caller-intro.tsx';

/** Verifies a caller: a code is read aloud, and the caller consents in the authenticator (spec 1 §§1, 2). */
export default function AuthenticateCallerScreen() {
  const { '*': step = '' } = useParams();
  return (
    <Flex direction="column" gap="6" maxW="4xl">
      <title>{t`Authenticate Caller · Orchestrate`}</title>
      <PageHeader
        title={t`Authenticate Caller`}
        description={t`Find out who is on the phone: you read out a code, and the caller confirms it in the authenticator.`}
      />
      <Step step={step} />
    </Flex>
  );
}

function Step({ step }: { step: string }) {
  switch (step) {
    case '':
      return <CallerIntro />;
    case 'generate':
      return <CallerCode />;
    case 'success':
      return <CallerConfirmed />;
    default:
      return <Navigate to={callerPaths.intro} replace />;
  }
}
