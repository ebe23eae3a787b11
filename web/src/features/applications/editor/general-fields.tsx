import { Input } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { LIMITS } from '@orchestrate/shared';
import type { UseFormRegisterReturn } from 'react-hook-form';
import { FormField } from '#ui/form/form-field.tsx';
import { TextArea } from '#ui/form/text-area.tsx';

interface GeneralFieldsProps {
  name: UseFormRegisterReturn;
  description: UseFormRegisterReturn;
  errors: { name?: string | undefined; description?: string | undefined };
}

/** Edits an application's name and description. */
export function GeneralFields({ name, description, errors }: GeneralFieldsProps) {
  return (
    <>
      <FormField label={t`App name`} isRequired error={errors.name}>
        <Input {...name} maxLength={LIMITS.appNameMaxLength + 1} autoComplete="off" />
      </FormField>
      <FormField
        label={t`Description`}
        error={errors.description}
        help={t`Optional, at most ${LIMITS.appDescriptionMaxLength} characters`}
      >
        <TextArea
          {...description}
          // The description is a single paragraph, so ignore Enter (spec 2 §2).
          onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
        />
      </FormField>
    </>
  );
}
