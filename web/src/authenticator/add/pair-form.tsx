import { Button, chakra, Flex, Input } from '@chakra-ui/react';
import { zodResolver } from '@hookform/resolvers/zod';
import { t } from '@lingui/core/macro';
import { appType, LIMITS, orgCode, type ResultName, text } from '@orchestrate/shared';
import { type Pairing, PortalRefusal } from '@orchestrate/shared/authenticator';
import { Controller, useForm } from 'react-hook-form';
import { z } from 'zod';
import { AlertLine } from '#ui/feedback/alert-line.tsx';
import { FormField } from '#ui/form/form-field.tsx';
import { OneTimeCodeInput } from '#ui/form/one-time-code-input.tsx';
import { authenticator } from '../phone/this-phone.ts';
import { refusalText } from '../requests/refusal-text.ts';
import { DeviceTypeChoice, suggestDevice } from './device-type-choice.tsx';
import { autoFocusProps, FieldName } from './option-row.tsx';

const request = z.object({
  orgCode,
  aid: text(64, t`Enter all eight characters`).min(LIMITS.typedCodeLength, t`Enter all eight characters`),
  name: text(60),
  type: appType,
});
type Request = z.output<typeof request>;

const fieldOf: Partial<Record<ResultName, keyof Request>> = {
  ORG_CODE_NOT_FOUND: 'orgCode',
  ID_DOESNOT_EXIST: 'aid',
  EXPIRED: 'aid',
};

interface PairFormProps {
  orgCode: string;
  /** Add-device code; '' until entered. */
  aid: string;
  /** True if the organisation and the code were scanned and only the device name is missing. */
  isScanned: boolean;
  onPaired: (pairing: Pairing) => void;
}

/** A form to pair this phone with an add-device code from the portal. */
export function PairForm({ orgCode: knownOrgCode, aid, isScanned, onPaired }: PairFormProps) {
  const suggestion = suggestDevice(navigator.userAgent);
  const form = useForm<Request>({
    resolver: zodResolver(request),
    mode: 'onBlur',
    defaultValues: { orgCode: knownOrgCode, aid, name: suggestion.name, type: suggestion.type },
  });
  const { errors, isSubmitting } = form.formState;

  const submit = form.handleSubmit(async ({ name, type, ...code }) => {
    try {
      onPaired(await authenticator.pair({ ...code, device: { ...suggestion, name, type } }));
    } catch (failure) {
      const field = failure instanceof PortalRefusal && !isScanned ? fieldOf[failure.resultName] : undefined;
      form.setError(field ?? 'root', { message: refusalText(failure).text });
    }
  });

  return (
    <chakra.form display="flex" flexDirection="column" gap="4" onSubmit={(event) => void submit(event)} noValidate>
      {!isScanned && (
        <>
          <FormField label={t`Organisation code`} error={errors.orgCode?.message}>
            <Input
              size="lg"
              autoCapitalize="none"
              spellCheck={false}
              {...form.register('orgCode')}
              {...(knownOrgCode === '' && autoFocusProps)}
            />
          </FormField>
          <Controller
            control={form.control}
            name="aid"
            render={({ field }) => (
              <Flex direction="column" gap="1.5" align="flex-start">
                <FieldName>{t`Add-device code`}</FieldName>
                <OneTimeCodeInput
                  label={t`Add-device code`}
                  kind="letters-and-digits"
                  length={LIMITS.typedCodeLength}
                  groupSize={4}
                  value={field.value}
                  onChange={field.onChange}
                  error={errors.aid?.message}
                  hasAutoFocus={knownOrgCode !== '' && aid === ''}
                />
              </Flex>
            )}
          />
        </>
      )}
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
        {t`Connect`}
      </Button>
    </chakra.form>
  );
}
