import { Box, Flex } from '@chakra-ui/react';
import { listRoles } from '@orchestrate/shared';
import { useRead } from '#lib/api/use-read.ts';
import { Checkbox } from '#ui/form/checkbox.tsx';

interface RoleChoiceProps {
  legend: string;
  chosen: string[];
  onChange: (roles: string[]) => void;
}

/** Selects organisation roles. */
export function RoleChoice({ legend, chosen, onChange }: RoleChoiceProps) {
  const { data } = useRead(listRoles, {});
  return (
    <Box as="fieldset">
      <Box as="legend" fontWeight="medium" pb="1">
        {legend}
      </Box>
      <Flex columnGap="6" wrap="wrap">
        {data?.Items.map(({ roleCode, name }) => (
          <Checkbox
            key={roleCode}
            label={name}
            isChecked={chosen.includes(roleCode)}
            onChange={(isOn) => onChange(isOn ? [...chosen, roleCode] : chosen.filter((one) => one !== roleCode))}
          />
        ))}
      </Flex>
    </Box>
  );
}
