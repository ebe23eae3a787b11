import { Flex } from '@chakra-ui/react';
import type { SessionSettings } from '@orchestrate/shared';
import { type Control, Controller, type FieldValues, type Path } from 'react-hook-form';
import { switchField } from '../editing/three-way.ts';
import { AlertLine } from '../ui/alert-line.tsx';
import { type Ruling, Switch } from '../ui/switch.tsx';

export type LoginOption = keyof {
  [Name in keyof SessionSettings as SessionSettings[Name] extends boolean ? Name : never]: 1;
};

interface OptionText {
  label: string;
  /** The effect on people, in one sentence. */
  help: string;
}

export const optionText: Record<LoginOption, OptionText> = {
  didEnabled: {
    label: 'Type code',
    help: 'People may type an eight-character code into their authenticator instead of scanning.',
  },
  webAuthnEnabled: {
    label: 'Passkeys',
    help: 'People may sign in with a passkey in their browser or a security key.',
  },
  desktopAppEnabled: {
    label: 'Desktop app',
    help: 'People may register a computer as their authenticator and sign in with it.',
  },
  forceAuthnEnabled: {
    label: 'Force authentication',
    help: 'People approve every sign-in on a device; no browser is remembered.',
  },
  stepUpAuthEnabled: {
    label: 'Step-up authentication',
    help: 'To approve a sign-in, people also choose the number that the browser shows.',
  },
  appLockEnabled: {
    label: 'App lock',
    help: 'The authenticator asks for its PIN before it approves a sign-in.',
  },
  logoutTogether: {
    label: 'Log out together',
    help: 'Logging out of the portal ends the sign-ins to applications in that browser, and the other way round.',
  },
};

/** The fields of the conflict dialog when two people change login options at once. */
export const loginOptionFields = <Values,>(options: readonly (LoginOption & keyof Values)[]) =>
  options.map((option) => switchField<Values>(optionText[option].label, option));

/** What the organisation decides about an application's option: what it switched off stays off, what it forces is forced. */
export function rulingOf(option: LoginOption, organisation: SessionSettings | undefined): Ruling | undefined {
  if (!organisation) return undefined;
  if (option === 'forceAuthnEnabled')
    return organisation.forceAuthnEnabled ? { isOn: true, reason: 'Forced for the whole organisation.' } : undefined;
  return organisation[option] ? undefined : { isOn: false, reason: 'Switched off for the whole organisation.' };
}

interface LoginOptionSwitchesProps<Values extends FieldValues> {
  control: Control<Values>;
  options: readonly (LoginOption & Path<Values>)[];
  /** The settings of the organisation, where the options are an application's. */
  organisation?: SessionSettings | undefined;
}

/** One switch for each login option. Where the organisation has decided, it shows that and why. */
export function LoginOptionSwitches<Values extends FieldValues>(props: LoginOptionSwitchesProps<Values>) {
  const { control, options, organisation } = props;
  return (
    <Flex direction="column" gap="5">
      {options.map((option) => (
        <Controller
          key={option}
          control={control}
          name={option}
          render={({ field: { value, onChange }, fieldState }) => (
            <Flex direction="column" gap="2">
              <Switch
                {...optionText[option]}
                isOn={value}
                onChange={onChange}
                ruling={rulingOf(option, organisation)}
              />
              {fieldState.error && <AlertLine>{fieldState.error.message}</AlertLine>}
            </Flex>
          )}
        />
      ))}
    </Flex>
  );
}
