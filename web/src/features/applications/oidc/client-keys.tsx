import { Flex, Input } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { ID_TOKEN_ALGORITHMS } from '@orchestrate/shared';
import { useFormContext } from 'react-hook-form';
import { FormField } from '../../../ui/form-field.tsx';
import { Select } from '../../../ui/select.tsx';
import { TextArea } from '../../../ui/text-area.tsx';
import type { AppForm } from '../editor/app-form.ts';

interface ClientKeysProps {
  /** What everybody can look into has none. */
  mayHaveKeys: boolean;
  /** Whether it gets id tokens. */
  signsIn: boolean;
}

/** The keys with which an application signs for itself, and how the organisation signs for it. */
export function ClientKeys({ mayHaveKeys, signsIn }: ClientKeysProps) {
  const { register, formState } = useFormContext<AppForm>();
  const wrong = formState.errors.oidc;
  return (
    <Flex direction="column" gap="5" maxW="2xl">
      {mayHaveKeys && (
        <>
          <FormField
            label={t`Public keys`}
            help={t`A JSON Web Key Set. With keys the application proves who it is by private_key_jwt, and its secrets are not accepted.`}
            error={wrong?.keys?.message}
          >
            <TextArea {...register('oidc.keys')} rows={6} fontFamily="mono" spellCheck={false} autoComplete="off" />
          </FormField>
          <FormField
            label={t`Key set URL`}
            help={t`Or the address where the application publishes its keys, so that it can change them itself.`}
            error={wrong?.keysUrl?.message}
          >
            <Input {...register('oidc.keysUrl')} inputMode="url" autoComplete="off" spellCheck={false} />
          </FormField>
        </>
      )}
      {signsIn && (
        <FormField label={t`ID token signature`} help={t`Every client supports RS256.`}>
          <Select {...register('oidc.idTokenAlg')} width="40">
            {ID_TOKEN_ALGORITHMS.map((algorithm) => (
              <option key={algorithm}>{algorithm}</option>
            ))}
          </Select>
        </FormField>
      )}
    </Flex>
  );
}
