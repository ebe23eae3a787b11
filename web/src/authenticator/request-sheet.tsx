import { Button, Flex } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import type { DenyReason } from '@orchestrate/shared';
import { formatAge, requestTitle } from '@orchestrate/shared/authenticator';
import { useEffect, useState } from 'react';
import { AlertLine } from '../ui/alert-line.tsx';
import { BrandScope } from '../ui/brand-scope.tsx';
import { said } from '../words/said.ts';
import { DenyReasons } from './deny-reasons.tsx';
import type { Request } from './inbox.ts';
import { NumberChoices } from './number-choices.tsx';
import { OrganisationTile } from './organisation-tile.tsx';
import { Outcome, type OutcomeText } from './outcome.tsx';
import { PinForm } from './pin-form.tsx';
import { refusalText } from './refusal-text.ts';
import { RequestFacts } from './request-facts.tsx';
import { textsOf } from './request-texts.ts';
import { Sheet } from './sheet.tsx';
import { authenticator } from './this-phone.ts';
import { useBrandOf } from './use-brand-of.ts';
import { useTimeLeft } from './use-time-left.ts';

interface RequestSheetProps {
  request: Request;
  isOpen: boolean;
  onClose: () => void;
  /** Called as soon as the portal has accepted the answer, so that the request is not shown again. */
  onAnswered: (challengeId: string) => void;
  /** The portal no longer lists it: answered elsewhere, cancelled or expired. */
  isWithdrawn: boolean;
}

/** Long enough to read three words; the sheet can be closed sooner. */
const SUCCESS_STAYS_MS = 2_000;

const expired: OutcomeText = {
  tone: 'warning',
  title: t`Expired`,
  text: t`This request has expired. Start again in your browser.`,
};
const withdrawn: OutcomeText = {
  tone: 'neutral',
  title: t`No longer waiting`,
  text: t`This request was answered or cancelled somewhere else.`,
};

const lockedOut: OutcomeText = {
  tone: 'danger',
  title: t`Not approved`,
  text: t`Too many wrong PINs. The request was not answered.`,
};

/** What the sheet asks before or instead of the answer. */
const titles: Partial<Record<string, string>> = {
  denying: t`Why are you denying this?`,
  unlocking: t`Unlock to approve`,
};

/** A request as it arrives: who asks, for what and from where; the numbers; Approve and Deny. */
export function RequestSheet({ request, isOpen, onClose, onAnswered, isWithdrawn }: RequestSheetProps) {
  const { challenge, account } = request;
  const [step, setStep] = useState<'asking' | 'unlocking' | 'denying' | 'sending'>('asking');
  const [number, setNumber] = useState<string | null>(null);
  const [answered, setAnswered] = useState<OutcomeText | null>(null);
  const timeLeft = useTimeLeft(challenge.requestedAt, challenge.expiresAt);
  const organisation = useBrandOf(challenge.orgCode);
  const texts = textsOf(challenge);

  const outcome =
    answered ?? (step === 'sending' ? null : timeLeft.isExpired ? expired : isWithdrawn ? withdrawn : null);
  const isDone = answered?.tone === 'success';
  useEffect(() => {
    if (!isDone) return;
    const timer = setTimeout(onClose, SUCCESS_STAYS_MS);
    return () => clearTimeout(timer);
  }, [isDone, onClose]);

  const answer = async (choice: 'approve' | DenyReason) => {
    const { challengeId } = challenge;
    setStep('sending');
    try {
      await authenticator.respond(
        account,
        choice === 'approve'
          ? { challengeId, decision: 'approve', ...(number === null ? {} : { number }) }
          : { challengeId, decision: 'deny', reason: choice },
      );
      setAnswered(texts.outcomes[choice]);
    } catch (failure) {
      setAnswered({ tone: 'danger', ...refusalText(failure) });
    }
    onAnswered(challengeId);
  };

  const age = said(formatAge(Date.parse(challenge.requestedAt), authenticator.portalNow()));
  const title = said(requestTitle(challenge));
  // The title of a sign-in to the portal already names the organisation, so the account says more here.
  const subject = (title.includes(challenge.orgName) && account.email) || challenge.orgName;
  const choices = challenge.numberChoices ?? [];
  return (
    <BrandScope colour={organisation?.color} display="contents">
      <Sheet
        isOpen={isOpen}
        onClose={onClose}
        tile={<OrganisationTile name={challenge.orgName} size="lg" />}
        title={outcome ? title : (titles[step] ?? title)}
        description={
          <>
            <bdi>{subject}</bdi> · {age}
          </>
        }
        footer={
          outcome ? (
            <Button size="xl" flex="1" variant="outline" onClick={onClose}>
              {t`Done`}
            </Button>
          ) : step === 'denying' || step === 'unlocking' ? null : (
            <>
              <Button
                size="xl"
                flex="1"
                variant="outline"
                borderColor="border.emphasized"
                disabled={step === 'sending'}
                onClick={() => setStep('denying')}
              >
                {t`Deny`}
              </Button>
              <Button
                size="xl"
                flex="1"
                fontWeight="semibold"
                loading={step === 'sending'}
                disabled={choices.length > 0 && number === null}
                onClick={() => (challenge.appLock ? setStep('unlocking') : void answer('approve'))}
              >
                {t`Approve`}
              </Button>
            </>
          )
        }
      >
        {outcome ? (
          <Outcome {...outcome} />
        ) : step === 'unlocking' ? (
          <PinForm
            onUnlock={() => void answer('approve')}
            onLockOut={() => setAnswered(lockedOut)}
            onBack={() => setStep('asking')}
          />
        ) : step === 'denying' ? (
          <DenyReasons
            meanings={texts.reasons}
            onChoose={(reason) => void answer(reason)}
            onBack={() => setStep('asking')}
          />
        ) : (
          <Flex direction="column" gap="6">
            <RequestFacts challenge={challenge} timeLeft={timeLeft} />
            {challenge.kind === 'verbal' && (
              <AlertLine tone="info">{t`Confirm only while you are on the phone with this person.`}</AlertLine>
            )}
            {choices.length > 0 && (
              <NumberChoices label={texts.numberLabel} choices={choices} value={number} onChange={setNumber} />
            )}
          </Flex>
        )}
      </Sheet>
    </BrandScope>
  );
}
