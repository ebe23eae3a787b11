import { Box, Flex, Text } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { type GroupName, LIMITS, listGroups } from '@orchestrate/shared';
import { useRead } from '#lib/api/use-read.ts';
import { useCan } from '#lib/session/session.ts';
import { Select } from '#ui/form/select.tsx';
import { RemovableRow } from './removable.tsx';

interface GroupChoiceProps {
  legend: string;
  chosen: GroupName[];
  onChange: (groups: GroupName[]) => void;
}

/**
 * Selects groups. Renders nothing if the organisation has no groups. Users who can't list groups can only remove
 * selected groups.
 */
export function GroupChoice({ legend, chosen, onChange }: GroupChoiceProps) {
  const { data } = useRead(listGroups, useCan('SESSION_MANAGEMENT') ? {} : null);
  const others = (data?.Items ?? []).filter(({ groupId }) => !chosen.some((one) => one.groupId === groupId));
  if (chosen.length === 0 && others.length === 0) return null;
  const add = (groupId: string) => {
    const group = others.find((one) => one.groupId === groupId);
    if (group) onChange([...chosen, group]);
  };
  return (
    <Flex as="fieldset" direction="column" gap="3">
      <Box as="legend" textStyle="sm" fontWeight="medium" pb="1">
        {legend}
      </Box>
      {chosen.length > 0 && (
        <Box as="ul" aria-label={legend} listStyleType="none" borderWidth="1px" borderRadius="l2" overflow="hidden">
          {chosen.map(({ groupId, displayName }) => (
            <RemovableRow
              key={groupId}
              name={displayName}
              onRemove={() => onChange(chosen.filter((one) => one.groupId !== groupId))}
            >
              <Text overflowWrap="anywhere">{displayName}</Text>
            </RemovableRow>
          ))}
        </Box>
      )}
      {others.length > 0 && chosen.length < LIMITS.groupsOfApp && (
        <Select aria-label={t`Add a group`} value="" onChange={({ target }) => add(target.value)}>
          <option value="">{t`Add a group`}</option>
          {others.map(({ groupId, displayName }) => (
            <option key={groupId} value={groupId}>
              {displayName}
            </option>
          ))}
        </Select>
      )}
    </Flex>
  );
}
