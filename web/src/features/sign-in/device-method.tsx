import { Button, chakra, Input } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import type { ResultName } from '@orchestrate/shared';
import { type SubmitEvent, Suspense, useContext, useState } from 'react';
import type { ApiRefusal } from '#lib/api/api-refusal.ts';
import { lazyPart } from '#lib/browser/lazy-part.ts';
import { attributeLabel } from '#lib/format/labels.ts';
import { resultText } from '#lib/notices/result-text.ts';
import { AlertLine } from '#ui/feedback/alert-line.tsx';
import { FormField } from '#ui/form/form-field.tsx';
import { withDialogWords } from '#words/with-sign-in-words.ts';
import { SignInStage } from './method.ts';
import type { StartedSignIn } from './pending-sign-in.ts';
import { NumberContent, PasskeyContent } from './request-panel.tsx';
import { RunningSignIn } from './running-sign-in.tsx';
import { usePushSignIn } from './use-sign-in.ts';

const PasskeySuggestion = lazyPart(() => withDialogWords(() => import('./passkey-suggestion.tsx')));

/** Results about the entered name. All other results are about the sign-in as a whole. */
const ABOUT_THE_PERSON: ReadonlySet<ResultName | undefined> = new Set<ResultName>([
  'USER_NOT_REGISTERED_FOR_ORG',
  'USER_INACTIVE',
  'USER_IN_MULTIPLE_ORGS',
  'INVALID_REQUEST',
]);

interface NameFormProps {
  /** The organisation's label for its primary attribute, e.g. 'employee ID'. */
  attribute: string;
  name: string;
  onName: (name: string) => void;
  onSubmit: (name: string) => void;
  isPending: boolean;
  refusal: ApiRefusal | undefined;
  hasMobileApp: boolean;
  /** True if the browser can suggest passkeys in the field. */
  suggestsPasskeys: boolean;
}

function NameForm({
  attribute,
  name,
  onName,
  onSubmit,
  isPending,
  refusal,
  hasMobileApp,
  suggestsPasskeys,
}: NameFormProps) {
  const [isChecked, setIsChecked] = useState(false);
  const isMissing = name.trim() === '';
  const isAboutThePerson = ABOUT_THE_PERSON.has(refusal?.resultName);
  const missing = isChecked && isMissing ? t`This field is required` : undefined;

  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    setIsChecked(true);
    if (!isMissing) onSubmit(name.trim());
  };
  return (
    <chakra.form noValidate onSubmit={submit} display="flex" flexDirection="column" gap="5">
      <FormField
        label={t`Email or ${attribute}`}
        help={
          hasMobileApp
            ? t`We'll send a request to your phone. Approve it with the number displayed here.`
            : t`We'll send a request to your computer. Approve it with the number displayed here.`
        }
        error={missing ?? (isAboutThePerson && refusal ? resultText(refusal) : undefined)}
      >
        <Input
          size="lg"
          name="username"
          autoComplete={suggestsPasskeys ? 'username webauthn' : 'username'}
          autoCapitalize="none"
          spellCheck={false}
          maxLength={254}
          value={name}
          onChange={(event) => onName(event.target.value)}
          onBlur={() => name !== '' && setIsChecked(true)}
        />
      </FormField>
      {refusal && !isAboutThePerson && <AlertLine>{resultText(refusal)}</AlertLine>}
      <Button type="submit" size="xl" w="full" loading={isPending} loadingText={t`Send request`}>
        {t`Send request`}
      </Button>
    </chakra.form>
  );
}

interface DeviceMethodProps {
  orgCode: string;
  primaryAttrField: string;
  hasMobileApp: boolean;
  acceptsPasskeys: boolean;
}

/**
 * Signs in with a request to the user's device, confirmed by comparing numbers. If the organisation accepts passkeys,
 * the browser suggests them in the name field.
 */
export default function DeviceMethod({ orgCode, primaryAttrField, hasMobileApp, acceptsPasskeys }: DeviceMethodProps) {
  const { started, resumedName, remembered, isPending, refusal, ask, askRemembered, leave, reset } =
    usePushSignIn(orgCode);
  const { close } = useContext(SignInStage);
  const [name, setName] = useState(resumedName);
  const [byPasskey, setByPasskey] = useState<StartedSignIn>();
  const [passkeyRefusal, setPasskeyRefusal] = useState<ApiRefusal>();

  if (byPasskey) {
    return (
      <RunningSignIn
        key={byPasskey.loginId}
        started={byPasskey}
        takesFocus
        waiting={t`Signing in with your passkey…`}
        expired={t`The sign-in took too long. Try again.`}
        renewLabel={t`Retry`}
        onRenew={() => setByPasskey(undefined)}
        isRenewing={false}
        content={<PasskeyContent />}
      />
    );
  }
  if (!started) {
    return (
      <>
        <NameForm
          attribute={attributeLabel(primaryAttrField)}
          name={name}
          onName={(next) => {
            setName(next);
            setPasskeyRefusal(undefined);
            if (refusal) reset();
          }}
          onSubmit={(who) => void ask(who)}
          isPending={isPending}
          refusal={passkeyRefusal ?? refusal}
          hasMobileApp={hasMobileApp}
          suggestsPasskeys={acceptsPasskeys}
        />
        {acceptsPasskeys && (
          <Suspense>
            <PasskeySuggestion orgCode={orgCode} onApproved={setByPasskey} onRefused={setPasskeyRefusal} />
          </Suspense>
        )}
      </>
    );
  }
  const askAgain = () => void (remembered ? askRemembered(remembered) : ask(name.trim()));
  return (
    <RunningSignIn
      key={started.loginId}
      started={started}
      takesFocus
      waiting={t`Choose ${started.matchNumber ?? ''} on your device`}
      expired={t`No one approved the request in time. Send it again.`}
      renewLabel={t`Send again`}
      onRenew={askAgain}
      isRenewing={isPending}
      content={<NumberContent number={started.matchNumber ?? ''} note={remembered ?? name.trim()} />}
      isSent
      onCancel={remembered ? close : leave}
    />
  );
}
