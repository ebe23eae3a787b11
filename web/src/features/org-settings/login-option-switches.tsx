import { Flex, Text } from '@chakra-ui/react';
import type { SessionSettings } from '@orchestrate/shared';
import { type Control, Controller, type FieldValues, type Path } from 'react-hook-form';
import { switchField } from '../../editing/three-way.ts';
import { AlertLine } from '../../ui/alert-line.tsx';
import { Switch } from '../../ui/switch.tsx';

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

interface LoginOptionSwitchesProps<Values extends FieldValues> {
  control: Control<Values, unknown, Values>;
  options: readonly (LoginOption & Path<Values>)[];
  /** What another level decides about an option, below its switch. */
  noteOn?: (option: LoginOption, isOn: boolean) => string | undefined;
}

/** One switch for each login option. */
export function LoginOptionSwitches<Values extends FieldValues>(props: LoginOptionSwitchesProps<Values>) {
  const { control, options, noteOn } = props;
  return (
    <Flex direction="column" gap="5">
      {options.map((option) => (
        <Controller
          key={option}
          control={control}
          name={option}
          render={({ field: { value, onChange }, fieldState }) => {
            const note = noteOn?.(option, value);
            return (
              <Flex direction="column" gap="2">
                <Switch {...optionText[option]} isOn={value} onChange={onChange} />
                {note && (
                  <Text ps="12" textStyle="sm" fontWeight="medium" color="warning.fg">
                    {note}
                  </Text>
                )}
                {fieldState.error && <AlertLine>{fieldState.error.message}</AlertLine>}
              </Flex>
            );
          }}
        />
      ))}
    </Flex>
  );
}
