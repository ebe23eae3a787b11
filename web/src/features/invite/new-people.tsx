import { Box, chakra, Flex, Text } from '@chakra-ui/react';
import { plural, t } from '@lingui/core/macro';
import { useId } from 'react';

interface NewPeopleProps {
  count: number;
  addNew: boolean;
  onAddNew: (addNew: boolean) => void;
}

/** Whether addresses that nobody has become new members. */
export function NewPeople({ count, addNew, onAddNew }: NewPeopleProps) {
  const name = useId();
  const choices = [
    {
      value: true,
      label: plural(count, { one: 'Add as a new person', other: 'Add them as new people' }),
      help: t`Names are taken from the addresses until people enter their own.`,
    },
    { value: false, label: plural(count, { one: 'Leave out', other: 'Leave them out' }), help: undefined },
  ];
  return (
    <Flex role="radiogroup" aria-label={t`New people`} direction="column" gap="1.5" px="3.5" pb="3">
      {choices.map(({ value, label, help }) => (
        <chakra.label key={label} display="flex" gap="2.5" alignItems="flex-start" cursor="pointer">
          <chakra.input
            type="radio"
            name={name}
            aria-label={label}
            aria-describedby={help && `${name}-help`}
            checked={addNew === value}
            onChange={() => onAddNew(value)}
            accentColor="brand.line"
            boxSize="4"
            mt="0.5"
            flexShrink="0"
          />
          <Box>
            <Text textStyle="sm">{label}</Text>
            {help && (
              <Text id={`${name}-help`} textStyle="xs" color="fg.muted">
                {help}
              </Text>
            )}
          </Box>
        </chakra.label>
      ))}
    </Flex>
  );
}
