import { Box, chakra, Flex, Grid, Input, Text } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import {
  PROVISIONING_DIALECTS,
  type ProvisioningDialect,
  type ProvisioningStep,
  type ReplyOf,
  replayProvisioning,
} from '@orchestrate/shared';
import { useState } from 'react';
import { AlertLine } from '#ui/feedback/alert-line.tsx';
import { SoftDisabledButton } from '#ui/feedback/soft-disabled-button.tsx';
import { StatusBadge } from '#ui/feedback/status-badge.tsx';
import { FormField } from '#ui/form/form-field.tsx';
import { Select } from '#ui/form/select.tsx';
import { Section } from '#ui/list/section.tsx';
import { PageHeader } from '#ui/text/page-header.tsx';
import { useLabForm } from '../use-control.ts';

const DIALECTS: Record<ProvisioningDialect, string> = { okta: t`Okta`, entra: t`Microsoft Entra` };
const EMPTY = { url: '', token: '', username: '', password: '', email: '' };

/** Simulates a directory that provisions people into an external SCIM service. */
export function ProvisioningSection() {
  const [dialect, setDialect] = useState<ProvisioningDialect>('okta');
  const [values, setValues] = useState(EMPTY);
  const [found, setFound] = useState<ReplyOf<typeof replayProvisioning>>();
  const { send: replay, errors, isPending } = useLabForm(replayProvisioning, Object.keys(EMPTY));
  const bind = (name: keyof typeof EMPTY) => ({
    value: values[name],
    onChange: ({ target }: { target: { value: string } }) => setValues({ ...values, [name]: target.value }),
    autoComplete: 'off',
    autoCapitalize: 'none',
    spellCheck: false,
  });
  const isDisabled = isPending || values.url.trim() === '';

  const send = async () => {
    setFound(undefined);
    const given = Object.fromEntries(Object.entries(values).filter(([, value]) => value.trim() !== ''));
    setFound((await replay({ dialect, url: values.url.trim(), ...given })) ?? undefined);
  };
  return (
    <>
      <PageHeader
        title={t`Provisioning`}
        description={t`Simulates a directory by sending requests to your SCIM service that create, find, change, deactivate and reactivate a person.`}
      />
      <Section title={t`Your service`}>
        <chakra.form
          noValidate
          display="flex"
          flexDirection="column"
          gap="4"
          onSubmit={(event) => {
            event.preventDefault();
            if (!isDisabled) void send();
          }}
        >
          <Grid gap="4" templateColumns={{ base: '1fr', xs: 'repeat(2, minmax(0, 1fr))' }} alignItems="start">
            <FormField label={t`URL`} help={t`The base URL, without /Users`} error={errors.url}>
              <Input placeholder={t`http://localhost:4000/scim/v2`} {...bind('url')} />
            </FormField>
            <FormField label={t`Directory`}>
              <Select
                value={dialect}
                onChange={({ target }) =>
                  setDialect(PROVISIONING_DIALECTS.find((one) => one === target.value) ?? 'okta')
                }
              >
                {PROVISIONING_DIALECTS.map((one) => (
                  <option key={one} value={one}>
                    {DIALECTS[one]}
                  </option>
                ))}
              </Select>
            </FormField>
            <FormField label={t`Bearer token (optional)`} error={errors.token}>
              <Input {...bind('token')} />
            </FormField>
            <FormField label={t`Person (optional)`} error={errors.email}>
              <Input placeholder={t`isaac.brock@example.com`} {...bind('email')} />
            </FormField>
            <FormField label={t`Username (optional)`} help={t`Instead of a token`} error={errors.username}>
              <Input {...bind('username')} />
            </FormField>
            <FormField label={t`Password (optional)`} error={errors.password}>
              <Input {...bind('password')} />
            </FormField>
          </Grid>
          {errors.root && <AlertLine>{errors.root}</AlertLine>}
          <SoftDisabledButton type="submit" alignSelf="flex-start" isDisabled={isDisabled}>
            {isPending ? t`Sending…` : t`Send`}
          </SoftDisabledButton>
        </chakra.form>
      </Section>
      {found && (
        <Section
          title={t`Responses`}
          isFlush
          aside={
            <StatusBadge
              status={found.ok ? t`As expected` : t`Not as expected`}
              tone={found.ok ? 'success' : 'danger'}
            />
          }
        >
          <chakra.ol aria-label={t`Responses`} listStyleType="none">
            {found.steps.map((step, at) => (
              <Step key={at} step={step} />
            ))}
          </chakra.ol>
        </Section>
      )}
    </>
  );
}

function Step({ step: { name, method, path, status, ok, differs } }: { step: ProvisioningStep }) {
  return (
    <chakra.li px="5" py="3" borderBottomWidth="1px" _last={{ borderBottomWidth: '0' }}>
      <Flex gap="3" align="center">
        <Box flex="1" minW="0">
          <Text fontWeight="medium">{name}</Text>
          <Text textStyle="code" fontSize="xs" color="fg.muted" overflowWrap="anywhere">
            {method} {path}
          </Text>
        </Box>
        <StatusBadge status={String(status ?? t`No response`)} tone={ok ? 'success' : 'danger'} />
      </Flex>
      {differs.map(({ field, expected, actual }) => (
        <Text key={field} textStyle="sm" color="fg.error" overflowWrap="anywhere" pt="1">
          {t`${field}: expected ${JSON.stringify(expected)}, got ${JSON.stringify(actual)}`}
        </Text>
      ))}
    </chakra.li>
  );
}
