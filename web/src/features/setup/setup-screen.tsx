import { Button, chakra, Flex, Heading, Input, Text } from '@chakra-ui/react';
import { zodResolver } from '@hookform/resolvers/zod';
import { t } from '@lingui/core/macro';
import {
  type AppType,
  DEFAULT_BRAND,
  type ReplyOf,
  type ResultName,
  readSetup,
  type SetupForm,
  setUp,
  setupForm,
} from '@orchestrate/shared';
import { type ReactNode, useEffect, useState } from 'react';
import { type FieldPath, useForm } from 'react-hook-form';
import { Link } from 'react-router-dom';
import useSWR from 'swr';
import { activationLink } from '#lib/address/authenticator-links.ts';
import { call } from '#lib/api/call.ts';
import { useRead } from '#lib/api/use-read.ts';
import { useUnloadWarning } from '#lib/leaving/use-unsaved-guard.ts';
import { showRefusal } from '#lib/notices/show-refusal.ts';
import { paths } from '#paths.ts';
import { AlertLine } from '#ui/feedback/alert-line.tsx';
import { ColourChoice } from '#ui/form/colour-choice.tsx';
import { FormField } from '#ui/form/form-field.tsx';
import { OwnFields } from '#ui/form/own-fields.tsx';
import { SecretField } from '#ui/form/secret-field.tsx';
import { BrandScope } from '#ui/text/brand-scope.tsx';

/** Fields under which refusals are displayed. Other refusals are displayed above the button. */
const fieldOf: Partial<Record<ResultName, FieldPath<SetupForm>>> = {
  EXPIRED: 'code',
  ORG_CODE_NOT_FOUND: 'orgCode',
  USER_EXISTS: 'email',
};

const EMPTY: SetupForm = { code: '', orgCode: '', firstName: '', lastName: '', email: '' };

interface SetupFormProps {
  /** True if setup also creates the organisation. */
  isEmpty: boolean;
  /** Brand colour of the new organisation. */
  colour: string;
  onColour: (colour: string) => void;
  onDone: (result: ReplyOf<typeof setUp>) => void;
}

/** Form for the setup code, the organisation and its first administrator. */
function FirstAdministrator({ isEmpty, colour, onColour, onDone }: SetupFormProps) {
  const form = useForm<SetupForm>({ resolver: zodResolver(setupForm), mode: 'onTouched', defaultValues: EMPTY });
  const { errors, isDirty, isSubmitting } = form.formState;
  useUnloadWarning(isDirty && !isSubmitting);

  const submit = form.handleSubmit(async (body) => {
    try {
      onDone(await call(setUp, { body }));
    } catch (failure) {
      showRefusal(form, failure, fieldOf);
    }
  });

  return (
    <chakra.form noValidate display="flex" flexDirection="column" gap="5" onSubmit={(event) => void submit(event)}>
      <FormField
        label={t`Setup code`}
        isRequired
        error={errors.code?.message}
        help={t`Enter the code that the server printed at startup.`}
      >
        <Input size="lg" autoComplete="off" maxLength={40} {...form.register('code')} />
      </FormField>
      <FormField
        label={t`Organisation code`}
        isRequired
        error={errors.orgCode?.message}
        help={
          isEmpty
            ? t`Part of every URL, e.g. acme. Use letters, digits and hyphens.`
            : t`Enter the code of an organisation that doesn't have an administrator.`
        }
      >
        <Input size="lg" autoComplete="off" autoCapitalize="none" maxLength={40} {...form.register('orgCode')} />
      </FormField>
      {isEmpty && (
        <FormField
          label={t`Organisation name`}
          error={errors.orgName?.message}
          help={t`Leave empty to display the code as the name.`}
        >
          <Input
            size="lg"
            autoComplete="organization"
            maxLength={100}
            {...form.register('orgName', { setValueAs: (name: string) => name || undefined })}
          />
        </FormField>
      )}
      {isEmpty && (
        <ColourChoice
          value={colour}
          onChange={(chosen) => {
            form.setValue('color', chosen);
            onColour(chosen);
          }}
        />
      )}
      <OwnFields register={(name) => form.register(name)} errors={errors} />
      {errors.root?.message && <AlertLine>{errors.root.message}</AlertLine>}
      <Button type="submit" size="xl" loading={isSubmitting}>
        {t`Set up`}
      </Button>
    </chakra.form>
  );
}

/** First-run page. Creates the first administrator with the code printed at startup. */
export default function SetupScreen() {
  const { data, refusal } = useRead(readSetup, {});
  const [colour, setColour] = useState<string>(DEFAULT_BRAND);
  const [result, setResult] = useState<SetupResult>();
  const [stored] = useState(readStoredResult);
  // Ignore the stored result if the portal is empty again.
  const shown = result ?? (data?.isEmpty === false ? stored : undefined);
  const storeResult = (reply: SetupResult) => {
    sessionStorage.setItem(STORAGE_KEY, JSON.stringify(reply));
    setResult(reply);
  };
  return (
    <BrandScope as="main" colour={colour} w="full" maxW="440px" mx="auto" px="5" pt="max({spacing.8}, 9dvh)" pb="6">
      <title>{t`Set up · Orchestrate`}</title>
      {shown ? (
        <Done result={shown} />
      ) : refusal ? (
        <AlertLine>{t`Couldn't reach the portal. Try again in a moment.`}</AlertLine>
      ) : data?.isOpen ? (
        <Step title={t`Welcome`} text={t`This portal doesn't have an administrator yet. You'll be the first.`}>
          <FirstAdministrator isEmpty={data.isEmpty} colour={colour} onColour={setColour} onDone={storeResult} />
        </Step>
      ) : (
        data && (
          <Step
            title={t`Already set up`}
            text={t`Every organisation on this portal already has an administrator. Go to the portal to sign in.`}
          >
            <Button asChild size="xl" variant="outline">
              <Link to={paths.home}>{t`Go to the portal`}</Link>
            </Button>
          </Step>
        )
      )}
    </BrandScope>
  );
}

type SetupResult = ReplyOf<typeof setUp>;

/**
 * Session storage key for the setup result. The result is kept until the device is registered, because the setup code
 * works only once.
 */
const STORAGE_KEY = 'orchestrate.setup';

function readStoredResult(): SetupResult | undefined {
  const text = sessionStorage.getItem(STORAGE_KEY);
  return text === null ? undefined : (JSON.parse(text) as SetupResult);
}

const POLL_INTERVAL_MS = 2_000;

/** Messages by the type of app in which the activation code is entered. */
const STEPS: Record<AppType, Record<'next' | 'how' | 'registered' | 'approves', string>> = {
  mobile: {
    next: t`Set up your phone`,
    how: t`Type these codes into the authenticator together with your email address. Then sign in and approve on your phone.`,
    registered: t`Your phone is registered`,
    approves: t`Sign in and approve on your phone. You'll find the first steps on the dashboard.`,
  },
  desktop: {
    next: t`Set up your computer`,
    how: t`Type these codes into the authenticator on your computer together with your email address. Then sign in and approve there.`,
    registered: t`Your computer is registered`,
    approves: t`Sign in and approve on your computer. You'll find the first steps on the dashboard.`,
  },
};

/** Shows the code for registering the administrator's first device. Continues automatically after registration. */
function Done({ result: { orgCode, type, activationCode } }: { result: SetupResult }) {
  const words = STEPS[type];
  const { data: isRegistered = false } = useSWR(
    'device of the first administrator',
    async () => !(await call(readSetup, {})).isOpen,
    {
      refreshInterval: (is) => (is ? 0 : POLL_INTERVAL_MS),
      // The authenticator might be in another tab, so keep refreshing while this page is hidden.
      refreshWhenHidden: true,
      dedupingInterval: 0,
    },
  );
  useEffect(() => {
    if (isRegistered) sessionStorage.removeItem(STORAGE_KEY);
  }, [isRegistered]);
  if (isRegistered) {
    return (
      <Step key="registered" isNext title={words.registered} text={words.approves}>
        <Button asChild size="xl">
          <Link to={paths.signIn(orgCode)}>{t`Sign in`}</Link>
        </Button>
      </Step>
    );
  }
  return (
    <Step key="device" isNext title={words.next} text={words.how}>
      <SecretField value={orgCode} isSecret={false} label={t`Organisation code`} />
      <SecretField value={activationCode} isSecret={false} label={t`Activation code`} groupSize={3} />
      <Button asChild size="xl">
        <a href={activationLink(orgCode)} target="_blank" rel="noreferrer">
          {t`Open the authenticator`}
        </a>
      </Button>
      <Button asChild size="xl" variant="outline">
        <Link to={paths.signIn(orgCode)}>{t`Sign in`}</Link>
      </Button>
    </Step>
  );
}

const takeFocus = (heading: HTMLHeadingElement | null) => heading?.focus();

interface StepProps {
  title: string;
  text: string;
  /** True if this step replaces the step that had focus. */
  isNext?: boolean;
  children?: ReactNode;
}

function Step({ title, text, isNext = false, children }: StepProps) {
  return (
    <Flex direction="column" gap="6">
      <Flex direction="column" gap="1.5">
        <Heading ref={isNext ? takeFocus : undefined} as="h1" size="xl" tabIndex={isNext ? -1 : undefined} outline="0">
          {title}
        </Heading>
        <Text color="fg.muted" textWrap="pretty">
          {text}
        </Text>
      </Flex>
      {children}
    </Flex>
  );
}
