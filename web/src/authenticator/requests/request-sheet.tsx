import { Button, chakra, Flex, Text } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import type { DenyReason, PendingChallenge } from '@orchestrate/shared';
import { describeBrowser, formatAge, requestTitle } from '@orchestrate/shared/authenticator';
import { Eye, Hourglass, type LucideIcon, MapPin, Monitor, ShieldCheck, UserRound } from 'lucide-react';
import { type ReactNode, useEffect, useId, useState } from 'react';
import type { Countdown } from '#lib/time/timers.ts';
import { AlertLine } from '#ui/feedback/alert-line.tsx';
import { CountdownText } from '#ui/feedback/countdown.tsx';
import { BrandScope } from '#ui/text/brand-scope.tsx';
import { translateShared } from '#words/words.ts';
import { rememberAnswer } from '../answered-requests.tsx';
import { OrganisationTile } from '../organisation-tile.tsx';
import { authenticator, useBrand } from '../phone/this-phone.ts';
import { PinForm } from '../pin-form.tsx';
import { Sheet } from '../sheet.tsx';
import type { Request } from './inbox.ts';
import { Outcome, type OutcomeText } from './outcome.tsx';
import { refusalText } from './refusal-text.ts';
import { requestMessagesFor } from './request-texts.ts';
import { useTimeLeft } from './use-time-left.ts';

/** Displays a request's origin, purpose and expiry. */
function RequestFacts({ challenge, timeLeft }: { challenge: PendingChallenge; timeLeft: Countdown }) {
  const { kind, requester } = challenge;
  return (
    <chakra.dl display="flex" flexDirection="column" px="4" borderRadius="l3" bg="bg.muted">
      {challenge.statement && (
        <Fact icon={ShieldCheck} name={challenge.action === 'confirm-device' ? t`New device` : t`Allows`}>
          {challenge.statement}
        </Fact>
      )}
      {requester.fullName && (
        <Fact icon={UserRound} name={t`Requested by`}>
          <bdi>{requester.fullName}</bdi>
        </Fact>
      )}
      {kind === 'verbal' ? (
        <Fact icon={Eye} name={t`Shares`}>
          {t`Your name, email and ID`}
        </Fact>
      ) : (
        <>
          <Fact icon={Monitor} name={t`Browser`}>
            {translateShared(describeBrowser(requester.userAgent))}
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

interface NumberChoicesProps {
  label: string;
  choices: readonly string[];
  value: string | null;
  onChange: (value: string) => void;
}

/** A choice of numbers: native radio buttons, styled as large keys. */
function NumberChoices({ label, choices, value, onChange }: NumberChoicesProps) {
  const id = useId();
  return (
    <Flex direction="column" gap="3.5" align="center">
      <Text id={id} color="fg.muted">
        {label}
      </Text>
      <Flex role="radiogroup" aria-labelledby={id} gap="3">
        {choices.map((choice) => (
          <chakra.label
            key={choice}
            position="relative"
            display="flex"
            alignItems="center"
            justifyContent="center"
            w="22"
            minW="20"
            h="18"
            minH="16"
            borderRadius="xl"
            textStyle="code"
            fontSize="2xl"
            fontWeight="bold"
            transition="background-color 120ms"
            bg={choice === value ? 'brand.solid' : 'bg.muted'}
            color={choice === value ? 'brand.contrast' : 'fg'}
            _hover={choice === value ? {} : { bg: 'bg.emphasized' }}
            css={{ '&:has(:focus-visible)': { outline: '2px solid {colors.brand.line}', outlineOffset: '3px' } }}
          >
            <chakra.input
              type="radio"
              name={id}
              value={choice}
              checked={choice === value}
              onChange={() => onChange(choice)}
              position="absolute"
              inset="0"
              opacity="0"
              cursor="pointer"
            />
            {choice}
          </chakra.label>
        ))}
      </Flex>
    </Flex>
  );
}

interface DenyReasonsProps {
  meanings: Record<DenyReason, string>;
  onChoose: (reason: DenyReason) => void;
  onBack: () => void;
}

/** Asks why the user denies a request, because a stranger's attempt must be reported and a change of mind must not. */
function DenyReasons({ meanings, onChoose, onBack }: DenyReasonsProps) {
  const id = useId();
  return (
    <Flex direction="column" gap="5">
      <Flex direction="column" gap="1.5">
        <Button size="xl" colorPalette="danger" aria-describedby={`${id}-not-me`} onClick={() => onChoose('not-me')}>
          {t`It wasn't me`}
        </Button>
        <Text id={`${id}-not-me`} textStyle="sm" color="fg.muted" textAlign="center">
          {meanings['not-me']}
        </Text>
      </Flex>
      <Flex direction="column" gap="1.5">
        <Button size="xl" variant="outline" aria-describedby={`${id}-cancel`} onClick={() => onChoose('cancel')}>
          {t`Just deny`}
        </Button>
        <Text id={`${id}-cancel`} textStyle="sm" color="fg.muted" textAlign="center">
          {meanings.cancel}
        </Text>
      </Flex>
      <Button variant="ghost" alignSelf="center" onClick={onBack}>
        {t`Go back`}
      </Button>
    </Flex>
  );
}

interface RequestSheetProps {
  request: Request;
  isOpen: boolean;
  onClose: () => void;
  /** Called as soon as the portal has accepted the answer. Hides the request. */
  onAnswered: (challengeId: string) => void;
  /** True if the portal no longer lists the request because it was answered elsewhere, cancelled or expired. */
  isWithdrawn: boolean;
}

/** How long a success message stays open, in milliseconds. The user can close the sheet earlier. */
const SUCCESS_STAYS_MS = 2_000;

const expired: OutcomeText = {
  tone: 'warning',
  title: t`Expired`,
  text: t`This request has expired. Start again in your browser.`,
};
const withdrawn: OutcomeText = {
  tone: 'neutral',
  title: t`No longer pending`,
  text: t`This request was answered on another device or cancelled.`,
};

const lockedOut: OutcomeText = {
  tone: 'danger',
  title: t`Not approved`,
  text: t`You entered too many wrong PINs, so the request wasn't approved.`,
};

/** Titles for the intermediate steps. */
const titles: Partial<Record<string, string>> = {
  denying: t`Why are you denying this?`,
  unlocking: t`Unlock to approve`,
};

/** Displays a request's details, any numbers to choose from, and buttons to approve or deny. */
export function RequestSheet({ request, isOpen, onClose, onAnswered, isWithdrawn }: RequestSheetProps) {
  const { challenge, account } = request;
  const [step, setStep] = useState<'asking' | 'unlocking' | 'denying' | 'sending'>('asking');
  const [number, setNumber] = useState<string | null>(null);
  const [answered, setAnswered] = useState<OutcomeText | null>(null);
  const timeLeft = useTimeLeft(challenge.requestedAt, challenge.expiresAt);
  const organisation = useBrand(challenge.orgCode);
  const texts = requestMessagesFor(challenge);

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
      rememberAnswer(request, choice);
    } catch (failure) {
      setAnswered({ tone: 'danger', ...refusalText(failure) });
    }
    onAnswered(challengeId);
  };

  const age = translateShared(formatAge(Date.parse(challenge.requestedAt), authenticator.portalNow()));
  const title = translateShared(requestTitle(challenge));
  // A portal sign-in's title already names the organisation, so show the account instead.
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
