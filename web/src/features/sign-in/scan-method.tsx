import { Button, Flex } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { Smartphone } from 'lucide-react';
import { qrLink } from '../../lib/address/qr-link.ts';
import { CopyAction } from '../../ui/copy-action.tsx';
import { QrCode } from '../../ui/qr-code.tsx';
import { PanelSkeleton } from './methods-skeleton.tsx';
import { PanelContent } from './request-panel.tsx';
import { PanelRefusal, RunningSignIn } from './running-sign-in.tsx';
import { useStartedSignIn } from './use-sign-in.ts';

interface ScanMethodProps {
  orgCode: string;
  /** Whether the organisation has people sign in with phones. */
  hasMobileApp: boolean;
  /** Goes to the typed alternative; absent where the organisation switched it off. */
  onTypeInstead?: (() => void) | undefined;
}

/** Sign in by scanning a QR code. On a phone, which cannot scan itself, the code is also a link. */
export function ScanMethod({ orgCode, hasMobileApp, onTypeInstead }: ScanMethodProps) {
  const { started, refusal, isPending, isRenewed, renew } = useStartedSignIn(orgCode, 'QID');
  if (refusal) return <PanelRefusal refusal={refusal} onRetry={renew} />;
  if (!started?.qid) return <PanelSkeleton />;
  const address = qrLink({ kind: 'sign-in', orgCode, qidCode: started.qid });
  return (
    <RunningSignIn
      key={started.loginId}
      started={started}
      takesFocus={isRenewed}
      waiting={t`Waiting for your device`}
      expired={t`This code has expired.`}
      renewLabel={t`Get a new code`}
      onRenew={renew}
      isRenewing={isPending}
      content={
        <PanelContent>
          <QrCode value={address} label={t`QR code to sign in`} />
        </PanelContent>
      }
      actions={
        <Flex direction="column" align="center" gap="2">
          {hasMobileApp && (
            <Button asChild variant="outline" size="lg" hideFrom="xs" h="auto" minH="11" py="2" whiteSpace="normal">
              <a href={address} target="_blank" rel="noreferrer">
                <Smartphone aria-hidden />
                {t`Open in the authenticator on this phone`}
              </a>
            </Button>
          )}
          <Flex gap="1" justify="center" flexWrap="wrap">
            {onTypeInstead && (
              <Button variant="ghost" size="sm" onClick={onTypeInstead}>
                {t`Type a code instead`}
              </Button>
            )}
            <CopyAction text={address} label={t`Copy link`} />
          </Flex>
        </Flex>
      }
    />
  );
}
