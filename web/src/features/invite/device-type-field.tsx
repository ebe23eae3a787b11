import { Box, chakra, Flex, Grid, Text } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import type { AppType } from '@orchestrate/shared';
import { useId } from 'react';
import { appSwitchObstacle, useOrgLoginOptions } from '../../login-options/org-login-options.ts';
import { DeviceIcon } from '../../ui/device-icon.tsx';
import { FieldError } from '../../ui/field-error.tsx';

const types = [
  { type: 'mobile', label: t`Mobile`, text: t`The app on a phone` },
  { type: 'desktop', label: t`Desktop`, text: t`The app on a computer` },
] as const satisfies { type: AppType; label: string; text: string }[];

interface DeviceTypeFieldProps {
  value: AppType | undefined;
  onChange: (type: AppType) => void;
  error: string | undefined;
}

/** Which app the invited people will activate: real radio buttons, drawn as cards. */
export function DeviceTypeField({ value, onChange, error }: DeviceTypeFieldProps) {
  const id = useId();
  const { data: organisation } = useOrgLoginOptions();
  const choices = types.map((each) => ({ ...each, obstacle: appSwitchObstacle(each.type, organisation) }));
  return (
    <Flex direction="column" gap="1.5">
      <Text id={id} textStyle="sm" fontWeight="medium">
        {t`Device type`}
      </Text>
      <Grid
        role="radiogroup"
        aria-labelledby={id}
        aria-required
        aria-invalid={error ? true : undefined}
        aria-describedby={error ? `${id}-error` : undefined}
        templateColumns="1fr 1fr"
        gap="3"
      >
        {choices.map(({ type, label, text, obstacle }) => (
          <chakra.label
            key={type}
            position="relative"
            display="flex"
            alignItems="center"
            gap="3"
            px="3.5"
            py="2"
            minH="14"
            borderRadius="l2"
            borderWidth="1px"
            borderColor={type === value ? 'brand.line' : error ? 'border.error' : 'border.emphasized'}
            bg={type === value ? 'brand.subtle' : 'bg.panel'}
            transition="background-color 120ms, border-color 120ms"
            _hover={type === value || obstacle ? {} : { bg: 'bg.muted' }}
            css={{ '&:has(:focus-visible)': { outline: '2px solid {colors.brand.line}', outlineOffset: '2px' } }}
          >
            <chakra.input
              type="radio"
              name={id}
              value={type}
              aria-label={label}
              aria-disabled={obstacle ? true : undefined}
              aria-describedby={obstacle && `${id}-${type}`}
              checked={type === value}
              onChange={() => !obstacle && onChange(type)}
              position="absolute"
              inset="0"
              opacity="0"
              cursor={obstacle ? 'not-allowed' : 'pointer'}
            />
            <Box opacity={obstacle ? 0.5 : undefined}>
              <DeviceIcon type={type} size={20} />
            </Box>
            <Box minW="0">
              <Text fontWeight="medium" color={obstacle && 'fg.muted'}>
                {label}
              </Text>
              <Text id={`${id}-${type}`} textStyle="xs" color="fg.muted">
                {obstacle ?? text}
              </Text>
            </Box>
          </chakra.label>
        ))}
      </Grid>
      {error && <FieldError id={`${id}-error`}>{error}</FieldError>}
    </Flex>
  );
}
