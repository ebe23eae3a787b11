import { Flex } from '@chakra-ui/react';
import type { IntegrationType } from '@orchestrate/shared';
import { Controller, useFormContext } from 'react-hook-form';
import { NumberField } from '../../../ui/number-field.tsx';
import { Section } from '../../../ui/section.tsx';
import { Switch } from '../../../ui/switch.tsx';
import type { AppForm } from './app-form.ts';

const SWITCHES = [
  {
    name: 'forceAuthnEnabled',
    label: 'Force authentication',
    help: 'Everybody approves on a device each time, even in a remembered browser.',
  },
  { name: 'didEnabled', label: 'Type code', help: 'People may type the code instead of scanning it.' },
  { name: 'webAuthnEnabled', label: 'WebAuthn', help: 'People may sign in with a passkey or a security key.' },
  {
    name: 'desktopAppEnabled',
    label: 'Desktop app',
    help: 'People may approve with the authenticator on their computer.',
  },
] as const;

/** Without a browser there is nothing to remember, and no passkey; LDAP cannot show a code. */
const OF_NETWORK: Partial<Record<IntegrationType, readonly string[]>> = {
  radius: ['didEnabled', 'desktopAppEnabled'],
  ldap: ['desktopAppEnabled'],
};

/** How people sign in to this application. */
export function LoginOptionsTab({ type }: { type: IntegrationType }) {
  const only = OF_NETWORK[type];
  const { control, register, formState } = useFormContext<AppForm>();
  return (
    <Section title="Login options">
      <Flex direction="column" gap="6" maxW="xl">
        {SWITCHES.filter(({ name }) => only?.includes(name) ?? true).map(({ name, label, help }) => (
          <Controller
            key={name}
            control={control}
            name={name}
            render={({ field }) => <Switch label={label} help={help} isOn={field.value} onChange={field.onChange} />}
          />
        ))}
        {!only && (
          <NumberField
            label="Max cookie life"
            isRequired
            unit="minutes"
            help="How long a browser is remembered after a sign-in; 0 means not at all."
            error={formState.errors.maxCookieMinutes?.message}
            {...register('maxCookieMinutes', { valueAsNumber: true })}
          />
        )}
      </Flex>
    </Section>
  );
}
