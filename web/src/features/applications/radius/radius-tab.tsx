import { Flex } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { type NoRadiusPort, type RadiusConfiguration, type RadiusMethod, radiusMethod } from '@orchestrate/shared';
import { useFormContext, useWatch } from 'react-hook-form';
import { AlertLine } from '#ui/feedback/alert-line.tsx';
import { FormField } from '#ui/form/form-field.tsx';
import { SecretField } from '#ui/form/secret-field.tsx';
import { Select } from '#ui/form/select.tsx';
import { Section } from '#ui/list/section.tsx';
import type { AppForm } from '../editor/app-form.ts';
import { ReplaceSecret } from '../replace-secret.tsx';

const METHODS: Record<RadiusMethod, { label: string; help: string }> = {
  number: {
    label: t`Pick a number on the device`,
    help: t`The client displays the number (Access-Challenge). The user picks it on the device, then presses Enter.`,
  },
  push: {
    label: t`Approve a request on the device`,
    help: t`For clients that can't display anything. If your organisation requires number matching, the client must still display a number.`,
  },
  code: {
    label: t`Type a code into the authenticator`,
    help: t`The client displays the code (Access-Challenge). No push notification is needed.`,
  },
};

const NO_PORT: Record<NoRadiusPort, string> = {
  off: t`RADIUS is off. To turn it on, start the portal with RADIUS_PORT, e.g. 1812.`,
  'range-too-small': t`Your organisation has no RADIUS port, so clients can't use this application yet. Each organisation needs its own port: start the portal with a longer range in RADIUS_PORT, e.g. 1812-1819.`,
  'in-use': t`Another program uses your organisation's RADIUS port, so clients can't use this application. Stop that program or change RADIUS_PORT, then restart the portal.`,
};

const SECRET_PROBLEMS = {
  weak: t`This shared secret is easy to guess and other machines can reach this portal, so requests with it are ignored. Regenerate it and enter the new secret in your client.`,
  duplicate: t`Another RADIUS application in your organisation has the same shared secret. Regenerate one of the secrets so the portal can tell their clients apart.`,
} as const;

/** Edits and shows the connection settings for a RADIUS client. */
export function RadiusTab({ appId, configuration }: { appId: string; configuration: RadiusConfiguration }) {
  const { register, control } = useFormContext<AppForm>();
  const method = useWatch({ control, name: 'radius.method' });
  const { host, port, noPort, secret, secretProblem } = configuration;
  return (
    <Flex direction="column" gap="5">
      {noPort && <AlertLine tone="warning">{NO_PORT[noPort]}</AlertLine>}
      {secretProblem && <AlertLine tone="warning">{SECRET_PROBLEMS[secretProblem]}</AlertLine>}
      <Section
        title={t`Client`}
        description={t`Enter these values in your client.`}
        aside={
          <ReplaceSecret appId={appId} done={t`New shared secret created`} title={t`Regenerate the shared secret?`} />
        }
      >
        <Flex direction="column" gap="5" maxW="fields">
          {port !== null && (
            <SecretField
              label={t`Server`}
              value={`${host}:${port}`}
              isSecret={false}
              help={t`UDP, for your organisation only. People sign in with their email address and any password (PAP).`}
            />
          )}
          <SecretField
            label={t`Shared secret`}
            value={secret}
            help={t`The client must send a Message-Authenticator and wait up to a minute for the user's approval.`}
          />
        </Flex>
      </Section>
      <Section title={t`Sign-in`} description={t`How people approve a sign-in.`}>
        <Flex direction="column" gap="5" maxW="fields">
          <FormField label={t`Approval method`} help={METHODS[method].help}>
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
