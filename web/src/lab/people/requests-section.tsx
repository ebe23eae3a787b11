import { Box, Button, chakra, Flex, Input, Link, Text } from '@chakra-ui/react';
import {
  approveRequest,
  denyRequest,
  type OpenRequest,
  type PhoneLie,
  phoneLie,
  readRequests,
} from '@orchestrate/shared';
import { Smartphone } from 'lucide-react';
import { useState } from 'react';
import { useWrite } from '../../lib/api/use-endpoint.ts';
import { formatDateTimeSeconds } from '../../lib/format/dates.ts';
import { resultText } from '../../lib/notices/result-text.ts';
import { AlertLine } from '../../ui/alert-line.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { FormField } from '../../ui/form-field.tsx';
import { Section } from '../../ui/section.tsx';
import { Select } from '../../ui/select.tsx';
import { useFollowed } from '../lab-news.tsx';
import { LIES } from './lies.ts';

const KINDS: Record<OpenRequest['kind'], string> = {
  login: 'Sign-in to the portal',
  'app-login': 'Sign-in to an application',
  verbal: 'Verification of a caller',
  test: 'Test of a device',
  approval: 'Approval of a change',
  'add-device': 'A new device',
};

/** Everything that a phone could answer now, to be answered from here. */
export function RequestsSection() {
  const { data, refetch } = useFollowed(readRequests, {});
  const requests = data?.requests ?? [];
  return (
    <Box gridColumn={{ sm: 'span 2' }} minW="0">
      <Section
        title="What waits for a phone"
        isFlush
        aside={
          <Text role="status" textStyle="sm" color="fg.muted">
            {requests.length}
          </Text>
        }
      >
        {requests.length > 0 ? (
          <chakra.ul aria-label="Requests" listStyleType="none">
            {requests.map((request) => (
              <chakra.li key={request.challengeId} px="5" py="4" borderBottomWidth="1px" _last={{ border: 'none' }}>
                {request.kind === 'add-device' ? (
                  <Facts request={request} />
                ) : (
                  <Request request={request} onAnswered={() => void refetch()} />
                )}
              </chakra.li>
            ))}
          </chakra.ul>
        ) : (
          <EmptyState
            icon={Smartphone}
            title="Nothing waits for a phone"
            description="Begin a sign-in: it appears here immediately, and you answer it as any person."
          />
        )}
      </Section>
    </Box>
  );
}

function Request({ request, onAnswered }: { request: OpenRequest; onAnswered: () => void }) {
  const { challengeId, email } = request;
  const [as, setAs] = useState(email ?? '');
  const [lie, setLie] = useState<PhoneLie>();
  const [answer, setAnswer] = useState<string>();
  const approving = useWrite(approveRequest);
  const denying = useWrite(denyRequest);
  const isBusy = approving.isPending || denying.isPending;

  const send = async (isApproval: boolean) => {
    setAnswer(undefined);
    const input = { params: { loginId: challengeId }, body: { as: as.trim(), lie } };
    try {
      const { result } = await (isApproval ? approving.run(input) : denying.run(input));
      if (lie) setAnswer(`The portal refused this answer: ${result.message}`);
    } catch (failure) {
      setAnswer(resultText(failure));
    }
    onAnswered();
  };
  return (
    <Flex direction="column" gap="3">
      <Facts request={request} />
      <Flex gap="3" wrap="wrap" align="flex-end">
        <Box flex="1 1 14rem">
          <FormField label="As">
            <Input
              type="email"
              placeholder="user@acme.test"
              value={as}
              onChange={({ target }) => setAs(target.value)}
              autoCapitalize="none"
              spellCheck={false}
            />
          </FormField>
        </Box>
        <Box flex="1 1 12rem">
          <FormField label="The answer is">
            <Select
              value={lie ?? ''}
              onChange={({ target }) => setLie(phoneLie.options.find((option) => option === target.value))}
            >
              <option value="">honest</option>
              {phoneLie.options.map((option) => (
                <option key={option} value={option}>
                  {LIES[option]}
                </option>
              ))}
            </Select>
          </FormField>
        </Box>
        <Flex gap="2">
          <Button disabled={isBusy || as.trim() === ''} onClick={() => void send(true)}>
            Approve
          </Button>
          <Button variant="outline" disabled={isBusy || as.trim() === ''} onClick={() => void send(false)}>
            Deny
          </Button>
        </Flex>
      </Flex>
      {answer && <AlertLine tone="warning">{answer}</AlertLine>}
    </Flex>
  );
}

function Facts({ request }: { request: OpenRequest }) {
  const { kind, mode, orgCode, email, did, payload, matchNumber, appName, requestedAt } = request;
  const whose = kind === 'add-device' && email;
  const facts = [orgCode, mode, whose, appName, did && `code ${did}`, matchNumber && `number ${matchNumber}`];
  return (
    <Box>
      <Text fontWeight="medium">{KINDS[kind]}</Text>
      <Text textStyle="sm" color="fg.muted" overflowWrap="anywhere">
        {[...facts, formatDateTimeSeconds(requestedAt)].filter(Boolean).join(' · ')}
      </Text>
      {payload && (
        <Link href={payload} target="_blank" rel="noreferrer" textStyle="sm">
          Open its QR code on a phone
        </Link>
      )}
    </Box>
  );
}
