import { Box, Button, chakra, Flex, Heading, Input, Text } from '@chakra-ui/react';
import { zodResolver } from '@hookform/resolvers/zod';
import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { LIMITS, type OrgSettings, type ResultName, type SignupForm, signup, signupForm } from '@orchestrate/shared';
import { BadgeCheck, MailCheck, Smartphone } from 'lucide-react';
import type { ReactNode } from 'react';
import { type FieldPath, useForm } from 'react-hook-form';
import { Link, useLocation, useNavigate, useParams } from 'react-router-dom';
import { BrandPanel } from '#features/sign-in/shared/brand-panel.tsx';
import { OrganisationMark } from '#features/sign-in/shared/logo.tsx';
import { OrganisationPage } from '#features/sign-in/shared/organisation-page.tsx';
import { PageFrame } from '#features/sign-in/shared/page-frame.tsx';
import { activationLink, hasOwnAuthenticator } from '#lib/address/authenticator-links.ts';
import { useGuardedNavigate } from '#lib/address/use-next-step.ts';
import { call } from '#lib/api/call.ts';
import { showRefusal } from '#lib/notices/show-refusal.ts';
import { paths } from '#paths.ts';
import { AlertLine } from '#ui/feedback/alert-line.tsx';
import { FormField } from '#ui/form/form-field.tsx';
import { OwnFields } from '#ui/form/own-fields.tsx';
import { CodeDisplay } from '#ui/text/code-display.tsx';
import { IconTile } from '#ui/text/icon-tile.tsx';
import { OutboxLink } from './outbox-link.tsx';
import { VerifySignUp } from './verify-sign-up.tsx';

/** Field below which the error for each result is shown. Errors for other results are shown above the button. */
const fieldOf: Partial<Record<ResultName, FieldPath<SignupForm>>> = {
  USER_EXISTS: 'email',
  EMAIL_EXISTS: 'email',
  INVALID_DOMAIN: 'email',
  ORG_EMAIL_LIMIT_REACHED: 'email',
  PHONE_ALREADY_EXISTS: 'mobileNumber',
  INVALID_MOBILE_NUMBER: 'mobileNumber',
};

const EMPTY: SignupForm = { firstName: '', lastName: '', email: '', mobileNumber: '' };

interface SignUpFormProps {
  orgCode: string;
  /** Called once a one-time code was sent to the mobile number, or to the email address if no number was entered. */
  onSent: (form: SignupForm) => void;
}

/** Asks for personal details. */
function SignUpForm({ orgCode, onSent }: SignUpFormProps) {
  const form = useForm<SignupForm>({ resolver: zodResolver(signupForm), mode: 'onTouched', defaultValues: EMPTY });
  const { errors, isSubmitting } = form.formState;

  const submit = form.handleSubmit(async ({ mobileNumber, ...person }) => {
    const filled: SignupForm = { ...person, ...(mobileNumber ? { mobileNumber } : {}) };
    try {
      await call(signup, { body: { ...filled, orgCode } });
    } catch (failure) {
      showRefusal(form, failure, fieldOf);
      return;
    }
    onSent(filled);
  });

  return (
    <chakra.form noValidate display="flex" flexDirection="column" gap="5" onSubmit={(event) => void submit(event)}>
      <OwnFields register={(name) => form.register(name)} errors={errors} />
      <FormField
        label={t`Mobile number`}
        help={t`Optional. Include the country code, e.g. +46 70 123 45 67. If you enter a number, we'll send the one-time code as a text message.`}
        error={errors.mobileNumber?.message}
      >
        <Input
          size="lg"
          type="tel"
          inputMode="tel"
          autoComplete="tel"
          maxLength={30}
          {...form.register('mobileNumber')}
        />
      </FormField>
      {errors.root && <AlertLine>{errors.root.message}</AlertLine>}
      <Button type="submit" size="xl" w="full" loading={isSubmitting} loadingText={t`Join`}>
        {t`Join`}
      </Button>
      <Text color="fg.muted" textAlign="center">
        <Trans>
          Already a member?{' '}
          <Button asChild variant="plain" h="auto" minW="0" px="0">
            <Link to={paths.signIn(orgCode)}>Sign in</Link>
          </Button>
        </Trans>
      </Text>
    </chakra.form>
  );
}

const hours = LIMITS.activationCodeLifetimeSeconds / 3_600;

/** Explains the steps from the emailed activation code to the first sign-in. */
function ActivationNext({ orgCode, email }: { orgCode: string; email: string }) {
  const steps = [
    {
      icon: MailCheck,
      text: t`Find the six-digit code in the email. It's valid for ${hours} hours and can be used once.`,
    },
    {
      icon: Smartphone,
      text: t`In the authenticator, enter the code with your email address and this organisation code:`,
    },
    { icon: BadgeCheck, text: t`Sign in and approve on your device.` },
  ];
  return (
    <Flex direction="column" gap="6">
      <chakra.ol display="flex" flexDirection="column" gap="4" listStyleType="none">
        {steps.map(({ icon: Icon, text }, at) => (
          <chakra.li key={text} display="flex" gap="3.5">
            <IconTile tone="brand">
              <Icon size={18} aria-hidden />
            </IconTile>
            <Flex direction="column" gap="2.5" flex="1" minW="0" pt="1.5">
              <Text>{text}</Text>
              {at === 1 && <CodeDisplay code={orgCode} label={t`Organisation code`} />}
            </Flex>
          </chakra.li>
        ))}
      </chakra.ol>
      <Flex direction="column" gap="2.5">
        {hasOwnAuthenticator() && (
          <Button asChild size="xl">
            <a href={activationLink(orgCode)} target="_blank" rel="noreferrer">
              {t`Open the authenticator`}
            </a>
          </Button>
        )}
        <Button asChild size="xl" variant="outline">
          <Link to={paths.signIn(orgCode)}>{t`Go to sign-in`}</Link>
        </Button>
        <Box alignSelf="center">
          <OutboxLink to={email} />
        </Box>
      </Flex>
    </Flex>
  );
}

/**
 * Returns the current sign-up step and functions to change it. Back returns to the previous step with the entered
 * values.
 */
function useSignUpStep() {
  const { pathname, state } = useLocation();
  const navigate = useNavigate();
  const goToNextStep = useGuardedNavigate();
  const go = (step: 'verify' | 'done', form: SignupForm) => goToNextStep(pathname, { state: { step, form } });
  return { step: readStep(state), go, goBack: () => void navigate(-1) };
}

/** Current step of a sign-up. */
type SignUpStep = { name: 'form' } | { name: 'verify' | 'done'; form: SignupForm };

/**
 * Reads the step from the navigation state, which survives a reload. Returns the first step if the state is invalid.
 */
function readStep(state: unknown): SignUpStep {
  const { step, form } = (typeof state === 'object' && state !== null ? state : {}) as {
    step?: unknown;
    form?: unknown;
  };
  if ((step !== 'verify' && step !== 'done') || !isForm(form)) return { name: 'form' };
  return { name: step, form };
}

function isForm(value: unknown): value is SignupForm {
  if (typeof value !== 'object' || value === null) return false;
  const { firstName, lastName, email, mobileNumber }: Partial<Record<keyof SignupForm, unknown>> = value;
  const areStrings = [firstName, lastName, email].every((part) => typeof part === 'string');
  return areStrings && (mobileNumber === undefined || typeof mobileNumber === 'string');
}

/** Signs up a user with an organisation: personal details, a one-time code, and the next steps. */
export default function SignUpScreen() {
  const { orgId = '' } = useParams();
  return (
    <OrganisationPage orgId={orgId} notLoaded={t`The sign-up page couldn't be loaded`}>
      {(settings) => <SignUp settings={settings} />}
    </OrganisationPage>
  );
}

function SignUp({ settings }: { settings: OrgSettings }) {
  const { step, go, goBack } = useSignUpStep();
  const { orgCode, name } = settings;
  return (
    <PageFrame isSideOptional side={<BrandPanel orgCode={orgCode} settings={settings} />}>
      <title>{t`Join ${name} · Orchestrate`}</title>
      <Flex direction="column" gap="6">
        <OrganisationMark logo={settings.logo} name={name} title={step.name === 'form' ? name : ''} />
        {step.name === 'form' && (
          <Step
            title={t`Join ${name}`}
            text={t`No password needed. Once you've confirmed who you are, you'll sign in with your device.`}
          >
            <SignUpForm orgCode={orgCode} onSent={(form) => go('verify', form)} />
          </Step>
        )}
        {step.name === 'verify' && (
          <Step
            title={t`Confirm it's you`}
            text={t`We sent a one-time code to ${step.form.mobileNumber ?? step.form.email}.`}
          >
            <VerifySignUp
              orgCode={orgCode}
              form={step.form}
              onVerified={() => go('done', step.form)}
              onChange={goBack}
            />
          </Step>
        )}
        {step.name === 'done' && (
          <Step title={t`Check your email`} text={t`We're sending an activation code to ${step.form.email}.`}>
            <ActivationNext orgCode={orgCode} email={step.form.email} />
          </Step>
        )}
      </Flex>
    </PageFrame>
  );
}

function Step({ title, text, children }: { title: string; text: string; children: ReactNode }) {
  return (
    <Flex direction="column" gap="6">
      <Flex direction="column" gap="1.5">
        <Heading as="h1" size="xl" overflowWrap="anywhere">
          {title}
        </Heading>
        <Text color="fg.muted" textWrap="pretty" overflowWrap="anywhere">
          {text}
        </Text>
      </Flex>
      {children}
    </Flex>
  );
}
