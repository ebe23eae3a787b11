import { Box, Flex } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import type { getAppProvisioning, ReplyOf } from '@orchestrate/shared';
import { Checkbox } from '../../../ui/checkbox.tsx';

export type OfferedAttributes = ReplyOf<typeof getAppProvisioning>['attributes'];

interface AttributeChoiceProps {
  attributes: OfferedAttributes;
  /** Names with their URN. */
  chosen: readonly string[];
  onChange: (names: string[]) => void;
}

/** Some attributes of the schemas that the organisation has registered. */
export function AttributeChoice({ attributes, chosen, onChange }: AttributeChoiceProps) {
  return (
    <Box as="fieldset">
      <Box as="legend" fontWeight="medium" pb="1">
        {t`Attributes of registered schemas that are sent`}
      </Box>
      <Flex direction="column">
        {attributes.map(({ name, schema }) => (
          <Checkbox
            key={name}
            label={`${name.slice(name.lastIndexOf(':') + 1)} (${schema})`}
            isChecked={chosen.includes(name)}
            onChange={(isOn) => onChange(isOn ? [...chosen, name] : chosen.filter((one) => one !== name))}
          />
        ))}
      </Flex>
    </Box>
  );
}
