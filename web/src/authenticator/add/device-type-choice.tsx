import { chakra, Flex } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import type { AppType, DeviceDescription } from '@orchestrate/shared';
import { describeBrowser, systemOf } from '@orchestrate/shared/authenticator';
import { useId } from 'react';
import { DeviceIcon, deviceTypeLabel } from '#ui/text/device-icon.tsx';
import { FieldName } from './option-row.tsx';

const types: readonly AppType[] = ['mobile', 'desktop'];

interface DeviceTypeChoiceProps {
  value: AppType;
  onChange: (value: AppType) => void;
}

/** A choice of the device type to register: native radio buttons, styled as a segmented control. */
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

/** Suggests a device name and type from the browser's user agent. */
export function suggestDevice(userAgent: string): DeviceDescription {
  const system = systemOf(userAgent);
  // Browsers that hide the model send 'K', which is too short to match.
  const model = /\bAndroid [^;)]+; ([^;)]{2,40})\)/.exec(userAgent)?.[1];
  const names: Partial<Record<string, string>> = { iPhone: 'iPhone', iPad: 'iPad', Android: model ?? t`Android phone` };
  return { name: names[system ?? ''] ?? t`Simulated phone`, type: 'mobile', platform: describeBrowser(userAgent) };
}
