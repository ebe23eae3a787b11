import { Flex, Heading, Text } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import type { OrgSettings } from '@orchestrate/shared';
import type { ReactNode } from 'react';
import { useParams } from 'react-router-dom';
import { BrandPanel } from '../../entrance/brand-panel.tsx';
import { EntranceFrame } from '../../entrance/entrance-frame.tsx';
import { Logo } from '../../entrance/logo.tsx';
import { OrganisationPage } from '../../entrance/organisation-page.tsx';
import { ActivationNext } from './activation-next.tsx';
import { SignUpForm } from './sign-up-form.tsx';
import { useSignUpStep } from './use-sign-up-step.ts';
import { VerifySignUp } from './verify-sign-up.tsx';

/** Joining an organisation: the person's data, a one-time code, and what comes next. */
export default function SignUpScreen() {
  const { orgId = '' } = useParams();
  return (
    <OrganisationPage orgId={orgId} notLoaded={t`The sign-up page could not be loaded`}>
      {(settings) => <SignUp settings={settings} />}
    </OrganisationPage>
  );
}

function SignUp({ settings }: { settings: OrgSettings }) {
  const { step, go, goBack } = useSignUpStep();
  const { orgCode, name } = settings;
  return (
    <EntranceFrame isFull brand={<BrandPanel orgCode={orgCode} settings={settings} />}>
      <title>{t`Join ${name} · Orchestrate`}</title>
      <Flex direction="column" gap="6">
        <Logo src={settings.logo} name={name} />
        {step.name === 'form' && (
          <Step
            title={t`Join ${name}`}
            text={t`No password: you confirm who you are, and your device signs you in from then on.`}
          >
            <SignUpForm orgCode={orgCode} onSent={(form) => go('verify', form)} />
          </Step>
        )}
        {step.name === 'verify' && (
          <Step
            title={t`Confirm that it is you`}
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
          <Step title={t`Check your email`} text={t`An activation code is on its way to ${step.form.email}.`}>
            <ActivationNext orgCode={orgCode} email={step.form.email} />
          </Step>
        )}
      </Flex>
    </EntranceFrame>
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
