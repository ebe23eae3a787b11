import { Flex } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import type { SessionSettings } from '@orchestrate/shared';
import { type Control, Controller, type FieldValues, type Path } from 'react-hook-form';
import { switchField } from '../editing/three-way.ts';
import { AlertLine } from '../ui/alert-line.tsx';
import { type Ruling, Switch } from '../ui/switch.tsx';
import { type LoginOption, optionText } from './option-text.ts';

/** The fields of the conflict dialog when two people change login options at once. */
export const loginOptionFields = <Values,>(options: readonly (LoginOption & keyof Values)[]) =>
  options.map((option) => switchField<Values>(optionText[option].label, option));

/** What the organisation decides about an application's option: what it switched off stays off, what it forces is forced. */
export function rulingOf(option: LoginOption, organisation: SessionSettings | undefined): Ruling | undefined {
  if (!organisation) return undefined;
  if (option === 'forceAuthnEnabled')
    return organisation.forceAuthnEnabled ? { isOn: true, reason: t`Forced for the whole organisation.` } : undefined;
  return organisation[option] ? undefined : { isOn: false, reason: t`Switched off for the whole organisation.` };
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
