import { Box, Button, Flex } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { AUDIT_ACTIONS, AUDIT_ACTOR_KINDS, AUDIT_OBJECT_TYPES, LIMITS } from '@orchestrate/shared';
import { X } from 'lucide-react';
import { useState } from 'react';
import type { ActivityAddress } from '../../events/activity-address.ts';
import { actionLabel, actorKindLabels, objectTypeLabel } from '../../events/event-words.ts';
import { PeriodFilter } from '../../events/period-filter.tsx';
import { useTypedQuery } from '../../lib/address/use-typed-query.ts';
import { useCan } from '../../lib/session/session.ts';
import { ChooseMemberDialog } from '../../members/choose-member-dialog.tsx';
import { useMemberName } from '../../members/use-member-name.ts';
import { SearchField } from '../../ui/search-field.tsx';
import { Select } from '../../ui/select.tsx';
import { type ActivityFilters, QUERY_MAX_LENGTH } from './use-activity-filters.ts';

interface ActivityFilterBarProps {
  address: ActivityFilters;
  onChange: (changed: ActivityAddress) => void;
}

/** Filters by words, actor, action, member or object, and time. */
export function ActivityFilterBar({ address, onChange }: ActivityFilterBarProps) {
  const { typed, type, submit } = useTypedQuery(address.q ?? '', (q) => onChange({ q }));
  return (
    <Flex direction="column" gap="3" role="search" aria-label={t`Activity`}>
      <Flex gap="3" wrap="wrap">
        <Box flex="1 1 26rem" display="flex">
          <SearchField
            label={t`Search activity`}
            placeholder={t`Name, action or address (${LIMITS.searchMinLength}+ characters)`}
            maxLength={QUERY_MAX_LENGTH}
            value={typed}
            onChange={type}
            onSubmit={submit}
          />
        </Box>
        <WhoFilter address={address} onChange={onChange} />
        <WhatFilter address={address} onChange={onChange} />
        <PeriodFilter period={address} onChange={({ from, to }) => onChange({ from, to })} />
      </Flex>
      <AboutFilters address={address} onChange={onChange} />
    </Flex>
  );
}

/** Values of the choice other than kinds of actors. */
const ANYBODY = '';
const PERSON = 'person';
const CHOOSE = 'choose';

function WhoFilter({ address: { actor, actorKind }, onChange }: ActivityFilterBarProps) {
  const [isChoosing, setIsChoosing] = useState(false);
  const maySearch = useCan('SEARCH_USER');
  const name = useMemberName(actor);
  const choose = (value: string) => {
    if (value === CHOOSE) return setIsChoosing(true);
    if (value === PERSON) return;
    onChange({ actor: undefined, actorKind: AUDIT_ACTOR_KINDS.find((kind) => kind === value) });
  };
  return (
    <>
      <Select
        aria-label={t`Who`}
        width="44"
        value={actor ? PERSON : (actorKind ?? ANYBODY)}
        onChange={({ target }) => choose(target.value)}
      >
        <option value={ANYBODY}>{t`By anybody`}</option>
        {actor && <option value={PERSON}>{t`By ${name}`}</option>}
        {maySearch && <option value={CHOOSE}>{t`A specific member…`}</option>}
        {AUDIT_ACTOR_KINDS.map((kind) => (
          <option key={kind} value={kind}>
            {actorKindLabels[kind]}
          </option>
        ))}
      </Select>
      <ChooseMemberDialog
        isOpen={isChoosing}
        onClose={() => setIsChoosing(false)}
        onChoose={({ suid }) => onChange({ actor: suid, actorKind: undefined })}
      />
    </>
  );
}

/** One choice for both: a whole type, or one action. Names of actions have a dot, types have none. */
function WhatFilter({ address: { action, objectType, objectId }, onChange }: ActivityFilterBarProps) {
  const choose = (value: string) =>
    onChange({
      action: AUDIT_ACTIONS.find((known) => known === value),
      objectType: AUDIT_OBJECT_TYPES.find((known) => known === value),
      objectId: undefined,
    });
  // Actions on one thing are listed below it, under its type.
  const type = objectId ? '' : (objectType ?? '');
  return (
    <Select aria-label={t`What`} width="64" value={action ?? type} onChange={({ target }) => choose(target.value)}>
      <option value="">{t`Any change`}</option>
      {AUDIT_OBJECT_TYPES.map((each) => (
        <optgroup key={each} label={objectTypeLabel(each)}>
          <option value={each}>{t`${objectTypeLabel(each)}: any change`}</option>
          {AUDIT_ACTIONS.filter((known) => known.startsWith(`${each}.`)).map((known) => (
            <option key={known} value={known}>
              {actionLabel(known)}
            </option>
          ))}
        </optgroup>
      ))}
    </Select>
  );
}

/** Filters that came with a link, and can be removed. */
function AboutFilters({ address: { suid, objectType, objectId }, onChange }: ActivityFilterBarProps) {
  const name = useMemberName(suid);
  if (!suid && !objectId) return null;
  return (
    <Flex gap="2" wrap="wrap">
      {suid && <Removable text={t`About ${name}`} onRemove={() => onChange({ suid: undefined })} />}
      {objectId && (
        <Removable
          text={`${objectType ? objectTypeLabel(objectType) : t`Object`} ${objectId}`}
          onRemove={() => onChange({ objectId: undefined, objectType: undefined })}
        />
      )}
    </Flex>
  );
}

const Removable = ({ text, onRemove }: { text: string; onRemove: () => void }) => (
  <Button variant="outline" size="sm" onClick={onRemove} aria-label={t`Remove filter: ${text}`} maxW="full">
    {text}
    <X aria-hidden />
  </Button>
);
