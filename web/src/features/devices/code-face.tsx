import { Box, Button, Flex, Skeleton, Text } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { ExternalLink } from 'lucide-react';
import type { ReactNode } from 'react';
import { hasOwnAuthenticator } from '#lib/address/authenticator-links.ts';
import type { Countdown } from '#lib/time/timers.ts';
import { QR_PX } from '#theme/tokens.ts';
import { CopyAction } from '#ui/feedback/copy-action.tsx';
import { CountdownRing, CountdownText } from '#ui/feedback/countdown.tsx';
import { RenewableCode } from '#ui/feedback/renewable.tsx';
import { TypedCode } from '#ui/form/typed-code.tsx';
import { QrCode } from '#ui/text/qr-code.tsx';

interface CodeFaceProps {
  countdown: Countdown;
  isExpired: boolean;
  isReconnecting: boolean;
  onRenew: () => void;
  isRenewing?: boolean;
  /** Reason why the code ended, unless it simply expired. */
  reason?: string | undefined;
  /** An additional way to use the code, alongside scanning and typing. */
  action: ReactNode;
  children: ReactNode;
}

/** Displays a code with its countdown. An expired code is dimmed and can be renewed with one click. */
function CodeFace({ countdown, isExpired, isReconnecting, reason, action, children, ...renew }: CodeFaceProps) {
  const isOver = isExpired || countdown.isExpired;
  return (
    <Flex direction="column" align="center" gap="2">
      <RenewableCode
        isExpired={isOver}
        label={t`Get a new code`}
        onRenew={renew.onRenew}
        isPending={renew.isRenewing ?? false}
      >
        <CountdownRing countdown={countdown}>{children}</CountdownRing>
      </RenewableCode>
      <Text color="fg.muted" minH="6">
        {isOver ? (
          <span role="status">{reason ?? t`This code has expired.`}</span>
        ) : isReconnecting ? (
          <span role="status">{t`Reconnecting…`}</span>
        ) : (
          <Trans>
            Expires in <CountdownText countdown={countdown} />
          </Trans>
        )}
      </Text>
      <Box minH="8" visibility={isOver ? 'hidden' : undefined}>
        {action}
      </Box>
    </Flex>
  );
}

interface ScanFaceProps extends Omit<CodeFaceProps, 'children' | 'action'> {
  /** URL encoded in the QR code. */
  link: string;
  /** What the QR code is for, e.g. 'QR code to add a device'. */
  label: string;
}

export function ScannedCodeFace({ link, label, ...face }: ScanFaceProps) {
  const action = hasOwnAuthenticator() ? (
    <Button asChild variant="ghost" size="sm">
      <a href={link} target="_blank" rel="noreferrer">
        <ExternalLink aria-hidden />
        {t`Open in the simulated authenticator`}
      </a>
    </Button>
  ) : (
    <CopyAction text={link} label={t`Copy link`} />
  );
  return (
    <CodeFace {...face} action={action}>
      <QrCode value={link} label={label} />
    </CodeFace>
  );
}

interface TypeFaceProps extends Omit<CodeFaceProps, 'children' | 'action'> {
  code: string;
  /** What the code is for, e.g. 'Code to add a device'. */
  label: string;
}

export function TypedCodeFace({ code, label, ...face }: TypeFaceProps) {
  return (
    <CodeFace {...face} action={<CopyAction text={code} label={t`Copy code`} />}>
      <TypedCode code={code} label={label} />
    </CodeFace>
  );
}

/** Skeleton displayed while a code is being fetched. */
export function CodeFaceSkeleton() {
  return (
    <Flex role="status" aria-label={t`Loading code`} direction="column" align="center" gap="2">
      <Skeleton w={`${QR_PX + 52}px`} aspectRatio="1" borderRadius="20px" />
      <Skeleton h="5" my="0.5" w="28" />
      <Box minH="8" />
    </Flex>
  );
}
