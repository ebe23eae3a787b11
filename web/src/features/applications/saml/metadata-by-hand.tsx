import { Button, Flex, Input } from '@chakra-ui/react';
import { zodResolver } from '@hookform/resolvers/zod';
import { t } from '@lingui/core/macro';
import { optionalText, text, webAddress } from '@orchestrate/shared';
import type { KeyboardEvent } from 'react';
import { useForm } from 'react-hook-form';
import { z } from 'zod';
import { FormField } from '../../../ui/form-field.tsx';
import { TextArea } from '../../../ui/text-area.tsx';
import { type useReadMetadata, useWhenMissed } from './use-read-metadata.ts';

const handForm = z.object({
  entityId: text(1_000),
  assertionConsumerServiceUrl: webAddress,
  singleLogoutServiceUrl: z.literal('').or(webAddress),
  certificate: optionalText(20_000),
});
type HandForm = z.output<typeof handForm>;

interface MetadataByHandProps extends Pick<ReturnType<typeof useReadMetadata>, 'read' | 'isReading' | 'type'> {
  initial: HandForm;
  /** Whether the form was submitted without metadata. */
  isMissed: boolean;
}

/** The facts of a service provider that has no metadata to upload. */
export function MetadataByHand({ initial, read, isReading, type, isMissed }: MetadataByHandProps) {
  const form = useForm<HandForm>({ resolver: zodResolver(handForm), mode: 'onTouched', defaultValues: initial });
  const { errors } = form.formState;
  const use = form.handleSubmit(({ singleLogoutServiceUrl, certificate, ...facts }) =>
    read({
      ...facts,
      ...(singleLogoutServiceUrl && { singleLogoutServiceUrl }),
      ...(certificate && { certificate }),
    }),
  );
  useWhenMissed(isMissed, () => void use());
  const onEnter = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.target instanceof HTMLInputElement)) return;
    // Must not submit the surrounding form.
    event.preventDefault();
    void use();
  };
  return (
    <Flex direction="column" gap="5" onKeyDown={onEnter} onChange={() => type(form.getValues())}>
      <FormField label={t`Entity id`} isRequired error={errors.entityId?.message}>
        <Input {...form.register('entityId')} autoComplete="off" spellCheck={false} />
      </FormField>
      <FormField
        label={t`Assertion consumer service URL`}
        isRequired
        error={errors.assertionConsumerServiceUrl?.message}
      >
        <Input
          {...form.register('assertionConsumerServiceUrl')}
          inputMode="url"
          autoComplete="off"
          spellCheck={false}
        />
      </FormField>
      <FormField label={t`Single logout service URL`} help={t`Optional`} error={errors.singleLogoutServiceUrl?.message}>
        <Input {...form.register('singleLogoutServiceUrl')} inputMode="url" autoComplete="off" spellCheck={false} />
      </FormField>
      <FormField
        label={t`Certificate`}
        help={t`Optional, in PEM format. It verifies the requests of the service provider.`}
        error={errors.certificate?.message}
      >
        <TextArea {...form.register('certificate')} rows={4} fontFamily="mono" spellCheck={false} />
      </FormField>
      <Button
        alignSelf="flex-start"
        variant="outline"
        loading={isReading}
        loadingText={t`Use these`}
        onClick={() => void use()}
      >
        {t`Use these`}
      </Button>
    </Flex>
  );
}
