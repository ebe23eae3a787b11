import { Button, Flex, Spinner, Text } from '@chakra-ui/react';
import { type AuthState, exchangeExternalSignIn } from '@orchestrate/shared';
import { useEffect } from 'react';
import useSWRImmutable from 'swr/immutable';
import { call } from '../../lib/api.ts';
import type { ApiRefusal } from '../../lib/api-refusal.ts';
import { resultText } from '../../lib/result-text.ts';
import { startSession } from '../../lib/session.ts';
import { AlertLine } from '../../ui/alert-line.tsx';

const OVER = 'This sign-in has expired, or it was used already. Please begin again.';

interface ExternalSignInProps {
  /** From the fragment of the address at which single sign-on ended; it counts once. */
  code: string;
  /** Opens the sign-in page as it was before. */
  onAgain: () => void;
}

/** The end of single sign-on: the session begins, and the guard of the route takes the person into the portal. */
export default function ExternalSignIn({ code, onAgain }: ExternalSignInProps) {
  const { data, error } = useSWRImmutable<AuthState, ApiRefusal>(['external sign-in', code], () =>
    call(exchangeExternalSignIn, { body: { code } }),
  );
  useEffect(() => {
    if (data) startSession(data);
  }, [data]);

  if (!error) {
    return (
      <Flex role="status" align="center" gap="3" color="fg.muted" minH="12">
        <Spinner size="sm" />
        <Text>Signing you in…</Text>
      </Flex>
    );
  }
  return (
    <Flex direction="column" gap="5">
      <AlertLine>{error.resultName === 'EXPIRED' ? OVER : resultText(error)}</AlertLine>
      <Button size="xl" w="full" onClick={onAgain}>
        Back to sign-in
      </Button>
    </Flex>
  );
}
