import { Flex } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { type RadiusConfiguration, type RadiusMethod, radiusMethod } from '@orchestrate/shared';
import { useFormContext, useWatch } from 'react-hook-form';
import { AlertLine } from '../../../ui/alert-line.tsx';
import { FormField } from '../../../ui/form-field.tsx';
import { SecretField } from '../../../ui/secret-field.tsx';
import { Section } from '../../../ui/section.tsx';
import { Select } from '../../../ui/select.tsx';
import type { AppForm } from '../editor/app-form.ts';
import { ReplaceSecret } from './replace-secret.tsx';

const METHODS: Record<RadiusMethod, { label: string; help: string }> = {
  number: {
    label: t`A number to pick on the device`,
    help: t`The client shows it (Access-Challenge); the person picks it on the device, then presses Enter.`,
  },
  push: {
    label: t`A request on the device`,
    help: t`For clients that cannot show anything. Where the organisation asks for numbers, the client must show one all the same.`,
  },
  code: {
    label: t`A code to type into the authenticator`,
    help: t`The client shows it (Access-Challenge); the person needs no push.`,
  },
};

/** What a RADIUS client and the portal need to know of each other. */
export function RadiusTab({ appId, configuration }: { appId: string; configuration: RadiusConfiguration }) {
  const { register, control } = useFormContext<AppForm>();
  const method = useWatch({ control, name: 'radius.method' });
  const { host, port, secret } = configuration;
  return (
    <Flex direction="column" gap="5">
      {port === null && (
        <AlertLine tone="warning">{t`RADIUS is switched off: start the portal with RADIUS_PORT, e.g. 1812.`}</AlertLine>
      )}
      <Section
        title={t`Client`}
        aside={
          <ReplaceSecret appId={appId} done={t`New shared secret created`} title={t`Regenerate the shared secret?`} />
        }
      >
        <Flex direction="column" gap="5" maxW="2xl">
          {port !== null && (
            <SecretField
              label={t`Server`}
              value={`${host}:${port}`}
              isSecret={false}
              help={t`By UDP. People sign in with their email address and any password (PAP).`}
            />
          )}
          <SecretField
            label={t`Shared secret`}
            value={secret}
            help={t`The client must send a Message-Authenticator, and wait a minute for the person.`}
          />
        </Flex>
      </Section>
      <Section title={t`Sign-in`}>
        <Flex direction="column" gap="5" maxW="2xl">
          <FormField label={t`How people are asked`} help={METHODS[method].help}>
            <Select {...register('radius.method')}>
              {radiusMethod.options.map((option) => (
                <option key={option} value={option}>
                  {METHODS[option].label}
                </option>
              ))}
            </Select>
          </FormField>
        </Flex>
      </Section>
    </Flex>
  );
}
