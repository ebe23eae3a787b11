import { Button, chakra, Input, Text } from '@chakra-ui/react';
import { zodResolver } from '@hookform/resolvers/zod';
import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { type ResultName, type SignupForm, signup, signupForm } from '@orchestrate/shared';
import { type FieldPath, useForm } from 'react-hook-form';
import { Link } from 'react-router-dom';
import { call } from '../../lib/api/call.ts';
import { showRefusal } from '../../lib/notices/show-refusal.ts';
import { paths } from '../../paths.ts';
import { AlertLine } from '../../ui/alert-line.tsx';
import { FormField } from '../../ui/form-field.tsx';
import { OwnFields } from '../../ui/own-fields.tsx';

/** The field that a refusal is shown under; all others are shown above the button. */
const fieldOf: Partial<Record<ResultName, FieldPath<SignupForm>>> = {
  USER_EXISTS: 'email',
  EMAIL_EXISTS: 'email',
  INVALID_DOMAIN: 'email',
  ORG_EMAIL_LIMIT_REACHED: 'email',
  PHONE_ALREADY_EXISTS: 'mobileNumber',
  INVALID_MOBILE_NUMBER: 'mobileNumber',
};

const nobody: SignupForm = { firstName: '', lastName: '', email: '', mobileNumber: '' };

interface SignUpFormProps {
  orgCode: string;
  /** A one-time code is on its way to the mobile number, or else to the email address. */
  onSent: (form: SignupForm) => void;
}

/** The data of the person who wants to join. */
export function SignUpForm({ orgCode, onSent }: SignUpFormProps) {
  const form = useForm<SignupForm>({ resolver: zodResolver(signupForm), mode: 'onTouched', defaultValues: nobody });
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
        help={t`Optional, with the country code, e.g. +46 70 123 45 67. The one-time code then comes as a text message.`}
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
