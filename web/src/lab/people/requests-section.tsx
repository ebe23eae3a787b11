import { Button, chakra, Flex, Grid, Input, Link, Text } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import {
  approveRequest,
  denyReason,
  denyRequest,
  type OpenRequest,
  type PhoneLie,
  phoneLie,
} from '@orchestrate/shared';
import { Smartphone } from 'lucide-react';
import { useState } from 'react';
import { useWrite } from '#lib/api/use-write.ts';
import { formatDateTimeSeconds } from '#lib/format/dates.ts';
import { formatCountdown } from '#lib/format/text.ts';
import { resultText } from '#lib/notices/result-text.ts';
import { AlertLine } from '#ui/feedback/alert-line.tsx';
import { SoftDisabledButton } from '#ui/feedback/soft-disabled-button.tsx';
import { FormField } from '#ui/form/form-field.tsx';
import { Select } from '#ui/form/select.tsx';
import { Section } from '#ui/list/section.tsx';
import { PageHeader } from '#ui/text/page-header.tsx';
import { EmptyList, ListCount } from '../line-list.tsx';
import { KINDS, LIES, REASONS } from '../phones/words.ts';
import { type TimedRequest, useOpenRequests } from './use-open-requests.ts';

/** Requests waiting for a phone, with a form to answer each request. */
export function RequestsSection() {
  const { requests: read, refetch } = useOpenRequests();
  const requests = read ?? [];
  return (
    <>
      <PageHeader title={t`Requests`} description={t`Requests waiting for a phone. Answer them here as any person.`} />
      <Section title={t`Pending`} isFlush aside={<ListCount of={read?.length} />}>
        {requests.length > 0 ? (
          <chakra.ul aria-label={t`Requests`} listStyleType="none">
            {requests.map((request) => (
              <chakra.li key={request.challengeId} px="5" py="5" borderBottomWidth="1px" _last={{ border: 'none' }}>
                <Facts request={request} />
                {request.kind !== 'add-device' && <Answer request={request} onAnswered={() => void refetch()} />}
              </chakra.li>
            ))}
          </chakra.ul>
        ) : (
          <EmptyList
            isRead={read !== undefined}
            icon={Smartphone}
            title={t`No pending requests`}
            description={t`Start a sign-in to answer its request here as any person.`}
          />
        )}
      </Section>
    </>
  );
}

/** Portal's response to an answer. */
interface Answer {
  tone: 'info' | 'danger';
  text: string;
}

function Answer({ request, onAnswered }: { request: OpenRequest; onAnswered: () => void }) {
  const { challengeId, email, matchNumber } = request;
  const [as, setAs] = useState(email ?? '');
  const [lie, setLie] = useState<PhoneLie>();
  const [isWrongNumber, setIsWrongNumber] = useState(false);
  const [reason, setReason] = useState<(typeof denyReason.options)[number]>();
  const [answer, setAnswer] = useState<Answer>();
  const approving = useWrite(approveRequest);
  const denying = useWrite(denyRequest);
  const isDisabled = approving.isPending || denying.isPending || as.trim() === '';

  const send = async (isApproval: boolean) => {
    setAnswer(undefined);
    const params = { loginId: challengeId };
    const who = { as: as.trim(), lie };
    const number = matchNumber && isWrongNumber ? ('wrong' as const) : undefined;
    try {
      const { result } = await (isApproval
        ? approving.run({ params, body: { ...who, number } })
        : denying.run({ params, body: { ...who, reason } }));
      if (lie) setAnswer({ tone: 'info', text: t`The portal rejected the answer: ${result.message}` });
    } catch (failure) {
      setAnswer({ tone: 'danger', text: resultText(failure) });
    }
    onAnswered();
  };
  return (
    <chakra.form
      noValidate
      display="flex"
      flexDirection="column"
      gap="4"
      mt="4"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isDisabled) void send(true);
      }}
    >
      <Grid gap="3" templateColumns="repeat(auto-fit, minmax(min(12rem, 100%), 1fr))" alignItems="start">
        <FormField label={t`Answer as`}>
          <Input
            placeholder={t`user@acme.test`}
            value={as}
            onChange={({ target }) => setAs(target.value)}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
          />
        </FormField>
        <FormField label={t`Answer`}>
          <Select
            value={lie ?? ''}
            onChange={({ target }) => setLie(phoneLie.options.find((option) => option === target.value))}
          >
            <option value="">{t`valid`}</option>
            {phoneLie.options.map((option) => (
              <option key={option} value={option}>
                {LIES[option]}
              </option>
            ))}
          </Select>
        </FormField>
        {matchNumber && (
          <FormField label={t`Number, if approved`}>
            <Select
              value={isWrongNumber ? 'wrong' : 'right'}
              onChange={({ target }) => setIsWrongNumber(target.value === 'wrong')}
            >
              <option value="right">{t`correct`}</option>
              <option value="wrong">{t`wrong`}</option>
            </Select>
          </FormField>
        )}
        <FormField label={t`Reason, if denied`}>
          <Select
            value={reason ?? ''}
            onChange={({ target }) => setReason(denyReason.options.find((option) => option === target.value))}
          >
            <option value="">{t`none`}</option>
            {denyReason.options.map((option) => (
              <option key={option} value={option}>
                {REASONS[option]}
              </option>
            ))}
          </Select>
        </FormField>
      </Grid>
      <Flex gap="2.5">
        <SoftDisabledButton type="submit" isDisabled={isDisabled}>
          {t`Approve`}
        </SoftDisabledButton>
        <SoftDisabledButton variant="outline" isDisabled={isDisabled} onClick={() => void send(false)}>
          {t`Deny`}
        </SoftDisabledButton>
      </Flex>
      {answer && <AlertLine tone={answer.tone}>{answer.text}</AlertLine>}
    </chakra.form>
  );
}

/** Display names of the ways in which a request can reach a phone. */
const METHODS: Readonly<Record<string, string>> = {
  QID: t`QR code`,
  DID: t`Typed code`,
  PUSH: t`Push`,
};

function Facts({ request }: { request: TimedRequest }) {
  const { kind, mode, orgCode, email, did, payload, matchNumber, appName, requestedAt, secondsLeft } = request;
  const facts = [
    [t`Organisation`, orgCode],
    [t`Method`, METHODS[mode] ?? mode],
    [t`For`, email],
    [t`Application`, appName],
    [t`Code`, did],
    [t({ message: 'Number', context: 'to choose on the phone' }), matchNumber],
    [t`Started`, formatDateTimeSeconds(requestedAt)],
  ] as const;
  return (
    <Flex direction="column" gap="2">
      <Flex gap="3" justify="space-between" align="baseline">
        <Text fontWeight="semibold">{KINDS[kind]}</Text>
        <Text textStyle="sm" color={secondsLeft < 10 ? 'warning.fg' : 'fg.muted'} whiteSpace="nowrap">
          <Trans>
            <chakra.span textStyle="code">{formatCountdown(secondsLeft)}</chakra.span> left
          </Trans>
        </Text>
      </Flex>
      <chakra.dl display="flex" flexWrap="wrap" columnGap="5" rowGap="1" textStyle="sm">
        {facts.map(
          ([name, value]) =>
            value && (
              <Flex key={name} gap="1.5" minW="0">
                <chakra.dt color="fg.muted">{name}</chakra.dt>
                <chakra.dd overflowWrap="anywhere">{value}</chakra.dd>
              </Flex>
            ),
        )}
      </chakra.dl>
      {payload && (
        <Flex>
          <Button asChild variant="outline" size="sm">
            <Link href={payload} target="_blank" rel="noreferrer" textDecoration="none">
              <Smartphone aria-hidden />
              {t`Open the QR code on a phone`}
            </Link>
          </Button>
        </Flex>
      )}
    </Flex>
  );
}
