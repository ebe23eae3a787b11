import { Box, Flex, Text } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { fullNameOf, hasSignIn, LIMITS, type Member } from '@orchestrate/shared';
import { useFormContext, useWatch } from 'react-hook-form';
import { MemberPicker } from '#features/members/shared/member-choice.tsx';
import { useCan } from '#lib/session/session.ts';
import { AlertLine } from '#ui/feedback/alert-line.tsx';
import { Switch } from '#ui/form/switch.tsx';
import { Section } from '#ui/list/section.tsx';
import { GroupChoice } from '../group-choice.tsx';
import { RemovableRow } from '../removable.tsx';
import { RoleChoice } from '../role-choice.tsx';
import type { AppForm } from './app-form.ts';

type Users = AppForm['users'];

/** Edits who can use the application. */
export default function AccessTab() {
  const { control, setValue } = useFormContext<AppForm>();
  const users = useWatch({ control, name: 'users' });
  const change = (part: Partial<Users>) =>
    setValue('users', { ...users, ...part }, { shouldDirty: true, shouldValidate: true });
  const { roles, groups, people } = users;
  const kind = useWatch<AppForm, 'oidc.kind'>({ name: 'oidc.kind' });
  const isMachine = kind !== undefined && !hasSignIn(kind);
  const isForNobody = roles.length === 0 && groups.length === 0 && people.length === 0;
  return (
    <Section title={t`Access`} description={isMachine ? undefined : t`Who can sign in to this application`}>
      <Flex direction="column" gap="6" maxW="fields">
        <Switch
          label={isMachine ? t`Limit provisioning to selected people` : t`Limit access to selected people`}
          help={
            isMachine
              ? t`No one signs in to a service client, so this only affects provisioning. When off, everyone in your organisation is provisioned.`
              : t`Anyone else sees a notice when they sign in. When off, everyone in your organisation can use this application.`
          }
          isOn={users.isRestricted}
          onChange={(isRestricted) => change({ isRestricted })}
        />
        {users.isRestricted && (
          <>
            <RoleChoice legend={t`Roles`} chosen={roles} onChange={(chosen) => change({ roles: chosen })} />
            <GroupChoice legend={t`Groups`} chosen={groups} onChange={(chosen) => change({ groups: chosen })} />
            <People people={people} onChange={(chosen) => change({ people: chosen })} />
            {isForNobody && (
              <AlertLine tone="info">
                {isMachine
                  ? t`No one is provisioned to this application. Add a role, group or person.`
                  : t`No one can use this application. Add a role, group or person.`}
              </AlertLine>
            )}
          </>
        )}
      </Flex>
    </Section>
  );
}

function People({ people, onChange }: { people: Users['people']; onChange: (people: Users['people']) => void }) {
  const maySearch = useCan('SEARCH_USER');
  const add = (member: Member) => {
    const { suid, primaryEmail: email } = member;
    if (!people.some((one) => one.suid === suid)) onChange([...people, { suid, name: fullNameOf(member), email }]);
  };
  return (
    <Flex as="fieldset" direction="column" gap="3">
      <Box as="legend" textStyle="sm" fontWeight="medium" pb="1">
        {t`People`}
      </Box>
      {people.length > 0 && (
        <Box as="ul" aria-label={t`People`} listStyleType="none" borderWidth="1px" borderRadius="l2" overflow="hidden">
          {people.map(({ suid, name, email }) => (
            <RemovableRow key={suid} name={name} onRemove={() => onChange(people.filter((one) => one.suid !== suid))}>
              <Text fontWeight="medium">{name}</Text>
              <Text color="fg.muted" truncate>
                {email}
              </Text>
            </RemovableRow>
          ))}
        </Box>
      )}
      {maySearch && people.length < LIMITS.peopleOfApp && <MemberPicker label={t`Add a person`} onChoose={add} />}
    </Flex>
  );
}
