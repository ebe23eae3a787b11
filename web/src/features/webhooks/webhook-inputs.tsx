import { Box, Flex, Grid, Input, Text } from '@chakra-ui/react';
import { plural, t } from '@lingui/core/macro';
import { AUDIT_ACTIONS, type AuditAction, type AuditObjectType } from '@orchestrate/shared';
import { useId, useState } from 'react';
import { type UseFormReturn, useWatch } from 'react-hook-form';
import { actionLabel } from '#features/audit/shared/event-words.ts';
import { AlertLine } from '#ui/feedback/alert-line.tsx';
import { Checkbox } from '#ui/form/checkbox.tsx';
import { FormField } from '#ui/form/form-field.tsx';
import { Switch } from '#ui/form/switch.tsx';
import { ExpandAction } from '#ui/list/expandable-row.tsx';
import type { WebhookFields } from './webhook-fields.ts';

const GROUPS = [
  t`People`,
  t`Devices and sign-ins`,
  t`Attacks and fraud`,
  t`Roles and groups`,
  t`Applications`,
  t`Settings`,
  'FAQ',
  t`Webhooks`,
  t`The portal itself`,
] as const;

/** Heading of the group that lists an object type's events. */
const groupOf: Record<AuditObjectType, (typeof GROUPS)[number]> = {
  member: t`People`,
  members: t`People`,
  'activation-code': t`People`,
  email: t`People`,
  'external-identity': t`People`,
  approval: t`Devices and sign-ins`,
  device: t`Devices and sign-ins`,
  browser: t`Devices and sign-ins`,
  session: t`Devices and sign-ins`,
  'sign-in': t`Devices and sign-ins`,
  attack: t`Attacks and fraud`,
  fraud: t`Attacks and fraud`,
  role: t`Roles and groups`,
  group: t`Roles and groups`,
  application: t`Applications`,
  'api-resource': t`Applications`,
  'app-provisioning': t`Applications`,
  'registration-token': t`Applications`,
  branding: t`Settings`,
  'session-settings': t`Settings`,
  'portal-app': t`Settings`,
  security: t`Settings`,
  'mail-text': t`Settings`,
  'mail-language': t`Settings`,
  configuration: t`Settings`,
  'scim-credentials': t`Settings`,
  'scim-token': t`Settings`,
  'scim-schema': t`Settings`,
  'portal-oidc': t`Settings`,
  'idp-certificate': t`Settings`,
  'signing-key': t`Settings`,
  'faq-category': 'FAQ',
  'faq-subcategory': 'FAQ',
  'faq-record': 'FAQ',
  webhook: t`Webhooks`,
  lab: t`The portal itself`,
  activity: t`The portal itself`,
};

const isType = (type: string): type is AuditObjectType => type in groupOf;

function headingOf(action: AuditAction) {
  const [type = ''] = action.split('.');
  return isType(type) ? groupOf[type] : undefined;
}

/** All events, grouped by heading. */
const eventGroups = GROUPS.map((label) => ({
  label,
  actions: AUDIT_ACTIONS.filter((action) => headingOf(action) === label),
}));

interface EventChoiceProps {
  /** Selected events; empty if all events are sent. */
  events: readonly AuditAction[];
  /** True if only selected events are sent, even if none are selected yet. */
  isSome: boolean;
  onChange: (events: AuditAction[], isSome: boolean) => void;
}

/** Offers a choice between all events, including future events, and a selection by group. */
function EventChoice({ events, isSome, onChange }: EventChoiceProps) {
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
        help={t`Includes events added in later versions of the portal, but not the lab’s.`}
        isOn={!isSome}
        onChange={(isAll) => onChange(isAll ? [] : [...events], !isAll)}
      />
      {isSome && (
        <>
          <Text role="status" textStyle="sm" color="fg.muted">
            {plural(events.length, { one: '# event selected', other: '# events selected' })}
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

/**
 * A group of events. Initially open if only some of its events are selected, because the heading shows only how many.
 */
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
        <ExpandAction what={t`events in ${label}`} isOpen={isOpen} onToggle={() => setIsOpen(!isOpen)} controls={id} />
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

/** Inputs for the URL, description and events of a new or edited webhook. */
export function WebhookInputs({ form }: { form: UseFormReturn<WebhookFields, unknown, WebhookFields> }) {
  const { errors } = form.formState;
  const [events, isAll] = useWatch({ control: form.control, name: ['events', 'isAll'] });
  return (
    <Flex direction="column" gap="5">
      <FormField
        label={t`Address`}
        isRequired
        help={t`The URL that events are sent to. It must start with https; http works only for the portal’s own machine. Lists show only the host, because the rest can contain a token.`}
        error={errors.url?.message}
      >
        <Input
          type="url"
          inputMode="url"
          placeholder={t`https://example.com/hooks/orchestrate`}
          autoComplete="off"
          spellCheck={false}
          maxLength={2_000}
          {...form.register('url')}
        />
      </FormField>
      <FormField
        label={t`Description`}
        help={t`What this webhook is for. Only administrators see this description.`}
        error={errors.description?.message}
      >
        <Input autoComplete="off" maxLength={200} {...form.register('description')} />
      </FormField>
      <EventChoice
        events={events}
        isSome={!isAll}
        onChange={(chosen, isSome) => {
          form.setValue('events', chosen, { shouldDirty: true });
          form.setValue('isAll', !isSome, { shouldDirty: true });
          form.clearErrors('events');
        }}
      />
      {errors.events?.message && <AlertLine>{errors.events.message}</AlertLine>}
    </Flex>
  );
}
