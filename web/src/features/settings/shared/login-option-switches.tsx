import { Box, Flex, Skeleton } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import type { Control, FieldPathByValue, FieldValues } from 'react-hook-form';
import { switchField } from '#ui/editing/three-way.ts';
import type { Override } from '#ui/form/switch.tsx';
import { SwitchField } from '#ui/form/switch-field.tsx';
import { DISABLED_FOR_ORGANISATION, type LoginOption, OPTION_TEXTS } from './login-options.ts';

/** Returns the fields compared in the conflict dialog when two people change login options at the same time. */
export const loginOptionFields = <Values,>(options: readonly (LoginOption & keyof Values)[]) =>
  options.map((option) => switchField<Values>(OPTION_TEXTS[option].label, option));

type OrganisationOptions = Readonly<Partial<Record<LoginOption, boolean>>>;

/**
 * Returns how the organisation overrides an application's option, or undefined if it doesn't. Options that the
 * organisation disables or forces can't be changed.
 */
export function overrideOf(option: LoginOption, organisation: OrganisationOptions | undefined): Override | undefined {
  if (option === 'forceAuthnEnabled')
    return organisation?.forceAuthnEnabled
      ? { isOn: true, reason: t`Required for the whole organisation.` }
      : undefined;
  return organisation?.[option] === false ? { isOn: false, reason: DISABLED_FOR_ORGANISATION } : undefined;
}

interface LoginOptionSwitchesProps<Values extends FieldValues> {
  control: Control<Values>;
  options: readonly (LoginOption & FieldPathByValue<Values, boolean | undefined>)[];
  /** Organisation settings. Set only when editing an application's options. */
  organisation?: OrganisationOptions | undefined;
}

/** One switch per login option. If the organisation overrides an option, its switch is locked and shows the reason. */
export function LoginOptionSwitches<Values extends FieldValues>(props: LoginOptionSwitchesProps<Values>) {
  const { control, options, organisation } = props;
  return (
    <Flex direction="column" gap="5">
      {options.map((option) => (
        <SwitchField
          key={option}
          control={control}
          name={option}
          {...OPTION_TEXTS[option]}
          ruling={overrideOf(option, organisation)}
        />
      ))}
    </Flex>
  );
}

/** Placeholder for the switches until the organisation's overrides are known. */
export function LoginOptionsSkeleton({ count }: { count: number }) {
  return (
    <Flex direction="column" gap="5" role="status" aria-label={t`Loading login options`}>
      {Array.from({ length: count }, (_, at) => (
        <Flex key={at} gap="3">
          <Skeleton h="5" w="9" borderRadius="full" flexShrink="0" />
          <Box flex="1" py="0.5">
            <Skeleton h="3.5" w="40" mb="2" />
            <Skeleton h="3" maxW="80" />
          </Box>
        </Flex>
      ))}
    </Flex>
  );
}
