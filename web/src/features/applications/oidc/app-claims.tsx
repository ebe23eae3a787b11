import { Box, Button, Flex, IconButton, Input, SimpleGrid, Text } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { CLAIM_TYPES, type GroupName, LIMITS, listGroups } from '@orchestrate/shared';
import { Plus, X } from 'lucide-react';
import { Controller, useFieldArray, useFormContext, useWatch } from 'react-hook-form';
import { useRead } from '#lib/api/use-read.ts';
import { keepFieldFocus } from '#lib/browser/focus.ts';
import { Hint } from '#ui/feedback/hint.tsx';
import { Checkbox } from '#ui/form/checkbox.tsx';
import { FormField } from '#ui/form/form-field.tsx';
import { Select } from '#ui/form/select.tsx';
import type { AppForm } from '../editor/app-form.ts';
import { GroupChoice } from '../group-choice.tsx';
import { RoleChoice } from '../role-choice.tsx';
import { useMemberFields, useTemplateProblem } from '../saml/use-template-problem.ts';

const TYPE_LABELS: Record<(typeof CLAIM_TYPES)[number], string> = {
  text: t`Text`,
  list: t`Comma-separated list`,
  boolean: t`True or false`,
  number: t({ message: 'Number', context: 'kind of value' }),
};

const DESTINATIONS = {
  idToken: t`Include in the ID token`,
  userinfo: t`Include in the userinfo response`,
  accessToken: t`Include in the access token`,
};

const NEW_CLAIM: NonNullable<AppForm['oidc']>['claims'][number] = {
  name: '',
  value: '',
  type: 'text',
  scope: '',
  roles: [],
  groups: [],
  idToken: true,
  userinfo: true,
  accessToken: false,
};

/**
 * Edits the claims that this application receives in addition to the claims of the standard scopes.
 * @param signsIn false for a service client, whose claims are constants in its access tokens
 */
export function AppClaims({ signsIn }: { signsIn: boolean }) {
  const { control } = useFormContext<AppForm>();
  const { fields, append, remove } = useFieldArray({ control, name: 'oidc.claims' });
  const memberFields = useMemberFields();
  return (
    <Flex direction="column" gap="4" maxW="fields">
      <Text color="fg.muted">
        {signsIn
          ? t`Values can be constants or contain member fields, e.g. ${'${firstName} ${lastName|upper}'}. Available fields: ${memberFields.join(', ')}.`
          : t`Values must be constants, because no user signs in.`}
      </Text>
      {fields.map(({ id }, at) => (
        <Claim key={id} at={at} signsIn={signsIn} onRemove={() => remove(at)} />
      ))}
      {fields.length < LIMITS.claimsOfApp && (
        <Button
          {...keepFieldFocus}
          variant="outline"
          size="sm"
          alignSelf="flex-start"
          onClick={() => append(NEW_CLAIM)}
        >
          <Plus />
          {t`Add claim`}
        </Button>
      )}
    </Flex>
  );
}

interface ClaimProps {
  at: number;
  signsIn: boolean;
  onRemove: () => void;
}

function Claim({ at, signsIn, onRemove }: ClaimProps) {
  const { control, register, formState } = useFormContext<AppForm>();
  const wrong = formState.errors.oidc?.claims?.[at];
  const [roles, groups, value] = useWatch({
    control,
    name: [`oidc.claims.${at}.roles`, `oidc.claims.${at}.groups`, `oidc.claims.${at}.value`],
  });
  const problem = useTemplateProblem(value);
  const isForEverybody = roles.length === 0 && groups.length === 0;
  const known = useRead(listGroups, {}).data?.Items ?? [];
  const groupCalled = (groupId: string): GroupName =>
    known.find((group) => group.groupId === groupId) ?? { groupId, displayName: t`Deleted group` };
  const name = t`Claim ${at + 1}`;
  const path = `oidc.claims.${at}` as const;
  const input = { autoComplete: 'off', spellCheck: false };
  return (
    <Box role="group" aria-label={name} p="4" borderWidth="1px" borderRadius="l2" bg="bg.subtle">
      <Flex direction="column" gap="4">
        <FormField label={name} isRequired error={wrong?.name?.message}>
          <Flex gap="2">
            <Input {...register(`${path}.name`)} {...input} placeholder={t`department`} maxLength={200} />
            <Hint text={t`Remove ${name}`}>
              <IconButton {...keepFieldFocus} variant="ghost" aria-label={t`Remove ${name}`} onClick={onRemove}>
                <X />
              </IconButton>
            </Hint>
          </Flex>
        </FormField>
        <SimpleGrid columns={{ base: 1, sm: 2 }} gap="4">
          <FormField label={t`Value`} isRequired error={problem ?? wrong?.value?.message}>
            <Input {...register(`${path}.value`)} {...input} placeholder={'${roleName}'} maxLength={500} />
          </FormField>
          <FormField label={t`Type`}>
            <Select {...register(`${path}.type`)}>
              {CLAIM_TYPES.map((type) => (
                <option key={type} value={type}>
                  {TYPE_LABELS[type]}
                </option>
              ))}
            </Select>
          </FormField>
        </SimpleGrid>
        <FormField
          label={t`Scope`}
          error={wrong?.scope?.message}
          help={t`This claim is only included if this scope is requested. Leave empty to always include it.`}
        >
          <Input {...register(`${path}.scope`)} {...input} placeholder={t`openid`} maxLength={60} />
        </FormField>
        {signsIn && (
          <>
            <Flex columnGap="6" wrap="wrap">
              {(['idToken', 'userinfo', 'accessToken'] as const).map((destination) => (
                <Controller
                  key={destination}
                  control={control}
                  name={`${path}.${destination}`}
                  render={({ field }) => (
                    <Checkbox label={DESTINATIONS[destination]} isChecked={field.value} onChange={field.onChange} />
                  )}
                />
              ))}
            </Flex>
            <Controller
              control={control}
              name={`${path}.roles`}
              render={({ field }) => (
                <Box>
                  <RoleChoice legend={t`Limit to roles`} chosen={field.value} onChange={field.onChange} />
                </Box>
              )}
            />
            <Controller
              control={control}
              name={`${path}.groups`}
              render={({ field }) => (
                <GroupChoice
                  legend={t`Limit to groups`}
                  chosen={field.value.map(groupCalled)}
                  onChange={(groups) => field.onChange(groups.map(({ groupId }) => groupId))}
                />
              )}
            />
            {isForEverybody && <Text color="fg.muted">{t`Included for everyone`}</Text>}
          </>
        )}
      </Flex>
    </Box>
  );
}
