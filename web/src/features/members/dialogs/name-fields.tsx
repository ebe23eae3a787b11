import { Flex, Input } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import type { UseFormRegisterReturn } from 'react-hook-form';
import { FormField } from '#ui/form/form-field.tsx';

type NameProps = UseFormRegisterReturn & { error: string | undefined };

/** First and last name fields, side by side if there is space. */
export function NameFields({ first, last }: { first: NameProps; last: NameProps }) {
  return (
    <Flex gap="4" direction={{ base: 'column', xs: 'row' }}>
      <Name label={t`First Name`} {...first} />
      <Name label={t`Last Name`} {...last} />
    </Flex>
  );
}

function Name({ label, error, ...registered }: NameProps & { label: string }) {
  return (
    <FormField label={label} isRequired error={error}>
      <Input {...registered} maxLength={100} autoComplete="off" />
    </FormField>
  );
}
