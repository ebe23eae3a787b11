import { Button, chakra, Flex, Input } from '@chakra-ui/react';
import { zodResolver } from '@hookform/resolvers/zod';
import { t } from '@lingui/core/macro';
import { appType, type Confirmation, email, LIMITS, orgCode, type ResultName, text } from '@orchestrate/shared';
import { type DeviceState, PortalRefusal } from '@orchestrate/shared/authenticator';
import { Controller, useForm } from 'react-hook-form';
import { z } from 'zod';
import { AlertLine } from '#ui/feedback/alert-line.tsx';
import { FormField } from '#ui/form/form-field.tsx';
import { OneTimeCodeInput } from '#ui/form/one-time-code-input.tsx';
import { authenticator } from '../phone/this-phone.ts';
import { refusalText } from '../requests/refusal-text.ts';
import { DeviceTypeChoice, suggestDevice } from './device-type-choice.tsx';
import { autoFocusProps, FieldName } from './option-row.tsx';

const activation = z.object({
  orgCode,
  email,
  activationCode: z.string().length(LIMITS.activationCodeLength, t`Enter all six digits`),
  name: text(60),
  type: appType,
});
type Activation = z.output<typeof activation>;

/** Maps refusals to the field that displays them. All other refusals appear above the button. */
const fieldOf: Partial<Record<ResultName, keyof Activation>> = {
  ORG_CODE_NOT_FOUND: 'orgCode',
  ORG_MISSING: 'orgCode',
  ORG_EMAIL_NOT_FOUND: 'email',
  ACTIVATION_CODE_MISMATCH: 'activationCode',
  ACTIVATION_CODE_NOT_FOUND: 'activationCode',
  EXPIRED: 'activationCode',
};

interface ActivateFormProps {
  orgCode: string;
  onActivated: (account: DeviceState, confirmation?: Confirmation) => void;
}

/** A form to register this phone with a six-digit activation code. */
export function ActivateForm({ orgCode: knownOrgCode, onActivated }: ActivateFormProps) {
  const suggestion = suggestDevice(navigator.userAgent);
  const form = useForm<Activation>({
    resolver: zodResolver(activation),
    mode: 'onBlur',
    defaultValues: {
      orgCode: knownOrgCode,
      email: '',
      activationCode: '',
      name: suggestion.name,
      type: suggestion.type,
    },
  });
  const { errors, isSubmitting } = form.formState;

  const submit = form.handleSubmit(async ({ name, type, ...request }) => {
    try {
      const device = { ...suggestion, name, type };
      const activated = await authenticator.activate({ ...request, device });
      onActivated(activated.device, activated.confirmation);
    } catch (failure) {
      const field = failure instanceof PortalRefusal ? fieldOf[failure.resultName] : undefined;
      const message = failure instanceof PortalRefusal ? failure.message : refusalText(failure).text;
      form.setError(field ?? 'root', { message });
    }
  });

  return (
    <chakra.form display="flex" flexDirection="column" gap="4" onSubmit={(event) => void submit(event)} noValidate>
      <FormField label={t`Organisation code`} error={errors.orgCode?.message}>
        <Input
          size="lg"
          autoCapitalize="none"
          autoComplete="organization"
          spellCheck={false}
          {...form.register('orgCode')}
          {...(knownOrgCode === '' && autoFocusProps)}
        />
      </FormField>
      <FormField label={t`Email`} error={errors.email?.message}>
        <Input
          size="lg"
          type="email"
          inputMode="email"
          autoComplete="email"
          {...form.register('email')}
          {...(knownOrgCode !== '' && autoFocusProps)}
        />
      </FormField>
      <Controller
        control={form.control}
        name="activationCode"
        render={({ field }) => (
          <Flex direction="column" gap="1.5" align="flex-start">
            <FieldName>{t`Activation code`}</FieldName>
            <OneTimeCodeInput
              label={t`Activation code`}
              length={LIMITS.activationCodeLength}
              groupSize={LIMITS.activationCodeLength / 2}
              value={field.value}
              onChange={field.onChange}
              error={errors.activationCode?.message}
            />
          </Flex>
        )}
      />
      <FormField label={t`Device name`} error={errors.name?.message}>
        <Input size="lg" autoComplete="off" {...form.register('name')} />
      </FormField>
      <Controller
        control={form.control}
        name="type"
        render={({ field }) => <DeviceTypeChoice value={field.value} onChange={field.onChange} />}
      />
      {errors.root?.message && <AlertLine>{errors.root.message}</AlertLine>}
      <Button type="submit" size="xl" loading={isSubmitting}>
        {t`Activate`}
      </Button>
    </chakra.form>
  );
}
