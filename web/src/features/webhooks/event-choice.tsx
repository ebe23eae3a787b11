import { Box, Flex, Text } from '@chakra-ui/react';
import { AUDIT_ACTIONS, AUDIT_OBJECT_TYPES, type AuditAction } from '@orchestrate/shared';
import { actionLabel, objectTypeLabel } from '../../activity/event-words.ts';
import { Checkbox } from '../../ui/checkbox.tsx';
import { Switch } from '../../ui/switch.tsx';

interface EventChoiceProps {
  /** Empty: all. */
  events: readonly AuditAction[];
  /** Whether only some are wanted, also while none is chosen yet. */
  isSome: boolean;
  onChange: (events: AuditAction[], isSome: boolean) => void;
}

/** All events, those to come as well, or some of them by what they happen to. */
export function EventChoice({ events, isSome, onChange }: EventChoiceProps) {
  const change = (changed: readonly AuditAction[], isWanted: boolean) => {
    const wanted = new Set(events);
    for (const action of changed) {
      if (isWanted) wanted.add(action);
      else wanted.delete(action);
    }
    onChange(
      AUDIT_ACTIONS.filter((action) => wanted.has(action)),
      true,
    );
  };
  return (
    <Flex direction="column" gap="4">
      <Switch
        label="All events"
        help="Also those that later versions of the portal add."
        isOn={!isSome}
        onChange={(isAll) => onChange(isAll ? [] : [...events], !isAll)}
      />
      {isSome && (
        <>
          <Text role="status" textStyle="sm" color="fg.muted">
            {events.length === 1 ? '1 event chosen' : `${events.length} events chosen`}
          </Text>
          <Box
            role="group"
            aria-label="Events"
            maxH="80"
            overflowY="auto"
            borderWidth="1px"
            borderRadius="l2"
            px="4"
            py="3"
            css={{ columnWidth: '15rem', columnGap: '{spacing.6}' }}
          >
            {AUDIT_OBJECT_TYPES.map((type) => (
              <Group key={type} type={type} events={events} onChange={change} />
            ))}
          </Box>
        </>
      )}
    </Flex>
  );
}

interface GroupProps {
  type: (typeof AUDIT_OBJECT_TYPES)[number];
  events: readonly AuditAction[];
  onChange: (changed: readonly AuditAction[], isWanted: boolean) => void;
}

function Group({ type, events, onChange }: GroupProps) {
  const actions = AUDIT_ACTIONS.filter((action) => action.startsWith(`${type}.`));
  const wanted = actions.filter((action) => events.includes(action));
  return (
    <Flex role="group" aria-label={objectTypeLabel(type)} direction="column" pb="3" css={{ breakInside: 'avoid' }}>
      <Checkbox
        label={objectTypeLabel(type)}
        isStrong
        isChecked={wanted.length === actions.length}
        isMixed={wanted.length > 0 && wanted.length < actions.length}
        onChange={() => onChange(actions, wanted.length < actions.length)}
      />
      <Flex direction="column" ps="6.5">
        {actions.map((action) => (
          <Checkbox
            key={action}
            label={actionLabel(action)}
            isChecked={events.includes(action)}
            onChange={(isWanted) => onChange([action], isWanted)}
          />
        ))}
      </Flex>
    </Flex>
  );
}
