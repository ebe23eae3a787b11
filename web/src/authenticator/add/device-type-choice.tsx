import { chakra, Flex } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import type { AppType } from '@orchestrate/shared';
import { useId } from 'react';
import { DeviceIcon, deviceTypeLabel } from '#ui/text/device-icon.tsx';
import { FieldName } from './option-row.tsx';

const types: readonly AppType[] = ['mobile', 'desktop'];

interface DeviceTypeChoiceProps {
  value: AppType;
  onChange: (value: AppType) => void;
}

/** The device type to register with: native radio buttons, drawn as two halves. */
export function DeviceTypeChoice({ value, onChange }: DeviceTypeChoiceProps) {
  const id = useId();
  return (
    <Flex direction="column" gap="1.5">
      <FieldName id={id}>{t`Device type`}</FieldName>
      <Flex role="radiogroup" aria-labelledby={id} gap="2">
        {types.map((type) => (
          <chakra.label
            key={type}
            position="relative"
            flex="1"
            display="flex"
            alignItems="center"
            justifyContent="center"
            gap="2"
            h="11"
            borderRadius="l2"
            borderWidth="1px"
            borderColor={type === value ? 'brand.line' : 'border.emphasized'}
            bg={type === value ? 'brand.subtle' : 'bg.panel'}
            fontWeight="medium"
            css={{ '&:has(:focus-visible)': { outline: '2px solid {colors.brand.line}', outlineOffset: '2px' } }}
          >
            <chakra.input
              type="radio"
              name={id}
              value={type}
              checked={type === value}
              onChange={() => onChange(type)}
              position="absolute"
              inset="0"
              opacity="0"
              cursor="pointer"
            />
            <DeviceIcon type={type} />
            {deviceTypeLabel[type]}
          </chakra.label>
        ))}
      </Flex>
    </Flex>
  );
}
