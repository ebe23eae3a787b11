import { Box, Flex, Grid, Text } from '@chakra-ui/react';
import { plural, t } from '@lingui/core/macro';
import { AUDIT_ACTIONS, type AuditAction } from '@orchestrate/shared';
import { useId, useState } from 'react';
import { actionLabel } from '../../events/event-words.ts';
import { Checkbox } from '../../ui/checkbox.tsx';
import { ExpandAction } from '../../ui/expand-action.tsx';
import { Switch } from '../../ui/switch.tsx';
import { eventGroups } from './event-groups.ts';

interface EventChoiceProps {
  /** Empty: all. */
  events: readonly AuditAction[];
  /** Whether only some are wanted, even while none is chosen yet. */
  isSome: boolean;
  onChange: (events: AuditAction[], isSome: boolean) => void;
}

/** All events, future ones too, or some of them, grouped under a few headings. */
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
        label={t`All events`}
        help={t`Including events that later versions of the portal add.`}
        isOn={!isSome}
        onChange={(isAll) => onChange(isAll ? [] : [...events], !isAll)}
      />
      {isSome && (
        <>
          <Text role="status" textStyle="sm" color="fg.muted">
            {plural(events.length, { one: '# event chosen', other: '# events chosen' })}
          </Text>
          <Box role="group" aria-label={t`Events`} borderWidth="1px" borderRadius="l2">
            {eventGroups.map((group) => (
              <Group key={group.label} {...group} events={events} onChange={change} />
            ))}
          </Box>
        </>
      )}
    </Flex>
  );
}

interface GroupProps {
  label: string;
  actions: readonly AuditAction[];
  events: readonly AuditAction[];
  onChange: (changed: readonly AuditAction[], isWanted: boolean) => void;
}

/** Initially open where only some of its events are chosen, because the heading cannot show which. */
function Group({ label, actions, events, onChange }: GroupProps) {
  const id = useId();
  const count = actions.filter((action) => events.includes(action)).length;
  const isMixed = count > 0 && count < actions.length;
  const [isOpen, setIsOpen] = useState(isMixed);
  return (
    <Box role="group" aria-label={label} borderTopWidth="1px" _first={{ borderTopWidth: '0' }}>
      <Flex align="center" gap="3" ps="4" pe="2" py="1.5">
        <Flex flex="1" align="center" gap="3" wrap="wrap">
          <Checkbox
            label={label}
            isStrong
            isChecked={count === actions.length}
            isMixed={isMixed}
            onChange={() => onChange(actions, count < actions.length)}
          />
          <Text textStyle="sm" color="fg.muted">
            {count > 0 ? t`${count} of ${actions.length}` : actions.length}
          </Text>
        </Flex>
        <ExpandAction
          what={t`the events of ${label}`}
          isOpen={isOpen}
          onToggle={() => setIsOpen(!isOpen)}
          controls={id}
        />
      </Flex>
      {isOpen && (
        <Grid id={id} ps="10.5" pe="4" pb="3" columnGap="6" templateColumns="repeat(auto-fill, minmax(14rem, 1fr))">
          {actions.map((action) => (
            <Checkbox
              key={action}
              label={actionLabel(action)}
              isChecked={events.includes(action)}
              onChange={(isWanted) => onChange([action], isWanted)}
            />
          ))}
        </Grid>
      )}
    </Box>
  );
}
