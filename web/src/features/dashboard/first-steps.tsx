import { Button, Center, chakra, Flex, Heading, Link, Skeleton, Text } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { getSummary, type ReplyOf } from '@orchestrate/shared';
import { startOfDay } from 'date-fns';
import { ArrowRight, Check, ExternalLink } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { Link as RouterLink } from 'react-router-dom';
import { ownTimeZone, today } from '#adapters/browser.ts';
import { useModal } from '#lib/address/use-modal.ts';
import { useRead } from '#lib/api/use-read.ts';
import { readStored, writeStored } from '#lib/browser/stored.ts';
import { joinWithDots } from '#lib/format/text.ts';
import { canAddDevice } from '#lib/session/app-permission.ts';
import { useCan, useSession } from '#lib/session/session.ts';
import { paths } from '#paths.ts';
import { Section } from '#ui/list/section.tsx';

const HIDDEN = 'orchestrate.first-steps-hidden';
const SHOWN = 'orchestrate.first-steps-shown';

/**
 * Lists the first steps of a new organisation's administrator. Disappears once they are done, or the administrator
 * hides the list in this browser.
 */
export function FirstSteps() {
  const profile = useSession()?.profile;
  const orgCode = profile?.orgId ?? '';
  const mayConfigure = useCan('SESSION_MANAGEMENT');
  const [isHidden, setHidden] = useState(readStored(HIDDEN) === orgCode);
  const { open } = useModal();
  const { data } = useSummary();
  const steps = [
    {
      key: 'people',
      isAllowed: useCan('BULK_INVITE'),
      title: t`Invite users`,
      text: t`They get an email that helps them register their first device.`,
      action: <Button onClick={() => open('invite')}>{t`Invite users`}</Button>,
    },
    {
      key: 'application',
      isAllowed: mayConfigure,
      title: t`Add an application`,
      text: t`People sign in to it without a password, with OpenID Connect, SAML, RADIUS or LDAP.`,
      action: <StepLink to={paths.applications}>{t`Add an application`}</StepLink>,
    },
    {
      key: 'secondDevice',
      isAllowed: canAddDevice(profile),
      title: t`Add a second device`,
      text: t`You can still sign in if you lose one.`,
      action: <Button variant="outline" onClick={() => open('add-device')}>{t`Add device`}</Button>,
    },
    {
      key: 'branding',
      isAllowed: mayConfigure,
      title: t`Brand the sign-in page`,
      text: t`Add your logo, colour and wording.`,
      action: <StepLink to={paths.branding}>{t`Open Branding`}</StepLink>,
    },
  ] satisfies (StepProps & { key: StepName; isAllowed: boolean })[];
  const mine = steps.filter(({ isAllowed }) => isAllowed);
  const isNeeded = data && !isEstablished(data) && mine.some(({ key }) => !data.firstSteps[key]);
  useEffect(() => {
    if (data) writeStored(SHOWN, isNeeded ? orgCode : null);
  }, [data, isNeeded, orgCode]);
  if (isHidden) return null;
  if (!data && readStored(SHOWN) === orgCode) return <LoadingSteps count={mine.length} />;
  if (!data || !isNeeded) return null;
  const done = data.firstSteps;

  const count = mine.filter(({ key }) => done[key]).length;
  const hide = () => {
    writeStored(HIDDEN, orgCode);
    setHidden(true);
  };
  return (
    <Section
      title={t`First steps`}
      aside={
        <Flex align="center" gap="3">
          <Text textStyle="sm" color="fg.muted">
            {t`${count} of ${mine.length} done`}
          </Text>
          <Button size="sm" variant="ghost" onClick={hide}>
            {t`Hide`}
          </Button>
        </Flex>
      }
    >
      <chakra.ol listStyleType="none" display="flex" flexDirection="column" gap="5">
        {mine.map(({ key, isAllowed: _isAllowed, ...step }, at) => (
          <Step key={key} number={at + 1} isDone={done[key]} {...step} />
        ))}
      </chakra.ol>
      <Link href={paths.signIn(orgCode)} target="_blank" rel="noreferrer" mt="5" textStyle="sm">
        {t`View your organisation's sign-in page`}
        <ExternalLink size={14} aria-hidden />
      </Link>
    </Section>
  );
}

/** Reserves the space of the steps, if this browser has shown them before. */
function LoadingSteps({ count }: { count: number }) {
  return (
    <Section title={t`First steps`}>
      <Flex role="status" aria-label={t`Loading first steps`} direction="column" gap="5">
        {Array.from({ length: count }, (_, step) => (
          <Skeleton key={step} h="10" />
        ))}
        <Skeleton h="5" w="72" />
      </Flex>
    </Section>
  );
}

interface StepProps {
  title: string;
  text: string;
  /** Link to the step, displayed until the step is done. */
  action: ReactNode;
}

function Step({ number, isDone, title, text, action }: StepProps & { number: number; isDone: boolean }) {
  return (
    <chakra.li display="flex" gap="4" alignItems="flex-start" flexWrap="wrap">
      <Center
        aria-hidden
        boxSize="7"
        flexShrink="0"
        borderRadius="full"
        borderWidth="1px"
        colorPalette={isDone ? 'success' : 'neutral'}
        bg={isDone ? 'colorPalette.subtle' : undefined}
        color={isDone ? 'colorPalette.fg' : 'fg.muted'}
        textStyle="sm"
      >
        {isDone ? <Check size={14} /> : number}
      </Center>
      <Flex direction="column" flex="1 1 16rem" minW="0">
        <Heading as="h3" size="sm" color={isDone ? 'fg.muted' : undefined}>
          {joinWithDots(title, isDone && t`done`)}
        </Heading>
        <Text textStyle="sm" color="fg.muted">
          {text}
        </Text>
      </Flex>
      {!isDone && action}
    </chakra.li>
  );
}

function StepLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <Button asChild variant="outline">
      <RouterLink to={to}>
        {children}
        <ArrowRight />
      </RouterLink>
    </Button>
  );
}

/** Number of active members from which an organisation with an application no longer needs the first steps. */
const ESTABLISHED = 10;

const isEstablished = ({ members, firstSteps }: Summary): boolean =>
  members.active >= ESTABLISHED && firstSteps.application;

/** The organisation's figures. */
export type Summary = ReplyOf<typeof getSummary>;
type StepName = keyof Summary['firstSteps'];

/** Reads the organisation's figures, for users who can search members. */
export const useSummary = () =>
  useRead(getSummary, { query: { since: startOfDay(today()).toISOString(), timeZone: ownTimeZone() } });
