import { Box, Grid } from '@chakra-ui/react';
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
      <Box as="legend" textStyle="sm" fontWeight="medium" pb="1">
        {legend}
      </Box>
      <Grid columnGap="6" templateColumns="repeat(auto-fill, minmax(min(100%, 10rem), 1fr))">
        {data?.Items.map(({ roleCode, name }) => (
          <Checkbox
            key={roleCode}
            label={name}
            isChecked={chosen.includes(roleCode)}
            onChange={(isOn) => onChange(isOn ? [...chosen, roleCode] : chosen.filter((one) => one !== roleCode))}
          />
        ))}
      </Grid>
    </Box>
  );
}
