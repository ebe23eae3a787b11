import { Box, Flex, Skeleton, Text } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import type { IntegrationType, OrgLoginOptions, SessionSettings } from '@orchestrate/shared';
import type { ReactNode } from 'react';
import type { Control, FieldPathByValue, FieldValues, UseFormRegisterReturn } from 'react-hook-form';
import { formatDuration } from '#lib/format/numbers.ts';
import { switchField } from '#ui/editing/three-way.ts';
import { NumberField } from '#ui/form/number-field.tsx';
import type { Override } from '#ui/form/switch.tsx';
import { SwitchField } from '#ui/form/switch-field.tsx';
import { Section } from '#ui/list/section.tsx';
import {
  cookieLifeOf,
  DISABLED_FOR_ORGANISATION,
  type LoginOption,
  OPTION_TEXTS,
  supportsOption,
} from './login-options.ts';

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

/**
 * Formats minutes as `1 day 12 hours` or `45 minutes`. Returns an empty string unless the number is a positive
 * integer.
 */
export const minutesText = (minutes: number): string =>
  Number.isInteger(minutes) && minutes > 0 ? formatDuration(minutes * 60) : '';

const METHODS = ['didEnabled', 'webAuthnEnabled', 'desktopAppEnabled'] as const;
const CHECKS = ['forceAuthnEnabled'] as const;

/** Login options of an application. */
export const APP_OPTIONS = [...METHODS, ...CHECKS] as const;
type AppOption = (typeof APP_OPTIONS)[number];

interface AppLoginOptionsProps<Values extends FieldValues> {
  type: IntegrationType;
  control: Control<Values>;
  /** Undefined until the organisation's options have loaded. */
  organisation: OrgLoginOptions | SessionSettings | undefined;
  /** Displayed instead of the switches until then. */
  pending?: ReactNode;
  /** Current values, which determine how long browsers are actually remembered. */
  minutes: number;
  isForced: boolean;
  /** Props of `register` for the cookie life in minutes. */
  life: UseFormRegisterReturn;
  error: string | undefined;
}

/** Edits the login options of an application, in the same groups as those of the organisation. */
export function AppLoginOptions<Values extends FieldValues & Partial<Record<AppOption, boolean>>>(
  props: AppLoginOptionsProps<Values>,
) {
  const { type, control, organisation, pending, minutes, isForced, life, error } = props;
  const of = (options: readonly AppOption[]) =>
    options.filter((option) => supportsOption(type, option)) as (LoginOption &
      FieldPathByValue<Values, boolean | undefined>)[];
  const { reason } = cookieLifeOf({ maxCookieLife: minutes * 60, forceAuthnEnabled: isForced }, organisation);
  return (
    <>
      <Section isBeside title={t`Sign-in methods`} description={METHODS_DESCRIPTION}>
        {organisation ? (
          <LoginOptionSwitches control={control} options={of(METHODS)} organisation={organisation} />
        ) : (
          pending
        )}
      </Section>
      {organisation && of(CHECKS).length > 0 && (
        <Section isBeside title={t`Security`} description={SECURITY_DESCRIPTION}>
          <LoginOptionSwitches control={control} options={of(CHECKS)} organisation={organisation} />
        </Section>
      )}
      {supportsOption(type, 'maxCookieLife') && (
        <Section isBeside title={t`Sessions`} description={t`How long people can return without approving a sign-in.`}>
          <NumberField
            label={t`Max cookie life`}
            unit={t`minutes`}
            equivalent={minutesText(minutes)}
            isRequired
            help={COOKIE_LIFE_HELP}
            error={error}
            {...life}
          />
          {reason && (
            <Text mt="1.5" textStyle="sm" fontWeight="medium" color="warning.fg">
              {reason}
            </Text>
          )}
        </Section>
      )}
    </>
  );
}

export const METHODS_DESCRIPTION = t`What people can sign in with, in addition to scanning a QR code.`;
export const SECURITY_DESCRIPTION = t`Additional checks when people sign in.`;
export const COOKIE_LIFE_HELP = t`How long a browser is remembered after a sign-in. 0 = not remembered.`;

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
