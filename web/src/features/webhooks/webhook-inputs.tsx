import { Flex, Input } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { type UseFormReturn, useWatch } from 'react-hook-form';
import { AlertLine } from '../../ui/alert-line.tsx';
import { FormField } from '../../ui/form-field.tsx';
import { EventChoice } from './event-choice.tsx';
import type { WebhookFields } from './webhook-fields.ts';

/** Address, purpose and events: the same for a new webhook and an edited one. */
export function WebhookInputs({ form }: { form: UseFormReturn<WebhookFields, unknown, WebhookFields> }) {
  const { errors } = form.formState;
  const [events, isAll] = useWatch({ control: form.control, name: ['events', 'isAll'] });
  return (
    <Flex direction="column" gap="5">
      <FormField
        label={t`Address`}
        isRequired
        help={t`Where events are sent. It must start with https; http works only for the portal’s own machine. Lists show only the host, because the rest can contain a token.`}
        error={errors.url?.message}
      >
        <Input
          type="url"
          inputMode="url"
          placeholder={t`https://example.com/hooks/orchestrate`}
          autoComplete="off"
          spellCheck={false}
          maxLength={2_000}
          {...form.register('url')}
        />
      </FormField>
      <FormField
        label={t`Description`}
        help={t`What it is for. Only administrators see it.`}
        error={errors.description?.message}
      >
        <Input autoComplete="off" maxLength={200} {...form.register('description')} />
      </FormField>
      <EventChoice
        events={events}
        isSome={!isAll}
        onChange={(chosen, isSome) => {
          form.setValue('events', chosen, { shouldDirty: true });
          form.setValue('isAll', !isSome, { shouldDirty: true });
          form.clearErrors('events');
        }}
      />
      {errors.events?.message && <AlertLine>{errors.events.message}</AlertLine>}
    </Flex>
  );
}
