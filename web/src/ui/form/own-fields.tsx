import { Flex, Input } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import type { FieldErrors, UseFormRegisterReturn } from 'react-hook-form';
import { FormField } from './form-field.tsx';

interface Own {
  firstName: string;
  lastName: string;
  email: string;
}

interface OwnFieldsProps {
  register: (name: keyof Own) => UseFormRegisterReturn;
  errors: FieldErrors<Own>;
}

/** Fields for the user's own name and email address, with autofill. */
export function OwnFields({ register, errors }: OwnFieldsProps) {
  return (
    <>
      <Flex gap="4" direction={{ base: 'column', xs: 'row' }}>
        <FormField label={t`First Name`} isRequired error={errors.firstName?.message}>
          <Input size="lg" autoComplete="given-name" maxLength={100} {...register('firstName')} />
        </FormField>
        <FormField label={t`Last Name`} isRequired error={errors.lastName?.message}>
          <Input size="lg" autoComplete="family-name" maxLength={100} {...register('lastName')} />
        </FormField>
      </Flex>
      <FormField label={t`Email`} isRequired error={errors.email?.message}>
        <Input size="lg" type="email" inputMode="email" autoComplete="email" maxLength={254} {...register('email')} />
      </FormField>
    </>
  );
}
