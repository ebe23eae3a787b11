import { chakra, Flex } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import type { PendingChallenge } from '@orchestrate/shared';
import { describeBrowser } from '@orchestrate/shared/authenticator';
import { Eye, Hourglass, type LucideIcon, MapPin, Monitor, ShieldCheck, UserRound } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Countdown } from '../lib/time/use-countdown.ts';
import { CountdownText } from '../ui/countdown.tsx';
import { said } from '../words/said.ts';

/** Where a request comes from, what it is for, and how long it can still be answered. */
export function RequestFacts({ challenge, timeLeft }: { challenge: PendingChallenge; timeLeft: Countdown }) {
  const { kind, requester } = challenge;
  return (
    <chakra.dl display="flex" flexDirection="column" px="4" borderRadius="l3" bg="bg.muted">
      {challenge.statement && (
        <Fact icon={ShieldCheck} name={challenge.action === 'confirm-device' ? t`New device` : t`Allows`}>
          {said(challenge.statement)}
        </Fact>
      )}
      {requester.fullName && (
        <Fact icon={UserRound} name={t`Asked by`}>
          <bdi>{requester.fullName}</bdi>
        </Fact>
      )}
      {kind === 'verbal' ? (
        <Fact icon={Eye} name={t`Will see`}>
          {t`Your name, email and ID`}
        </Fact>
      ) : (
        <>
          <Fact icon={Monitor} name={t`Browser`}>
            {said(describeBrowser(requester.userAgent))}
          </Fact>
          <Fact icon={MapPin} name={t`Address`}>
            {requester.ip}
          </Fact>
        </>
      )}
      <Fact icon={Hourglass} name={t`Expires`}>
        <CountdownText countdown={timeLeft} />
      </Fact>
    </chakra.dl>
  );
}

function Fact({ icon: Icon, name, children }: { icon: LucideIcon; name: string; children: ReactNode }) {
  return (
    <Flex
      align="center"
      gap="3"
      minH="12"
      py="2"
      borderBottomWidth="1px"
      borderColor="border"
      _last={{ border: 'none' }}
    >
      <Icon size={17} strokeWidth={1.75} aria-hidden />
      <chakra.dt color="fg.muted">{name}</chakra.dt>
      <chakra.dd ms="auto" minW="0" fontWeight="semibold" textAlign="end" overflowWrap="anywhere">
        {children}
      </chakra.dd>
    </Flex>
  );
}
