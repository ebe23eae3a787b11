import { Box, Button, chakra, Flex, Input, Text } from '@chakra-ui/react';
import { zodResolver } from '@hookform/resolvers/zod';
import { t } from '@lingui/core/macro';
import {
  getOidcConfiguration,
  type PortalOidc,
  type ProviderCheck,
  portalOidcFields,
  type ReplyOf,
  saveOidcConfiguration,
  testOidcConfiguration,
} from '@orchestrate/shared';
import { CircleCheck, CircleQuestionMark, CircleX, PlugZap } from 'lucide-react';
import { useState } from 'react';
import { Controller } from 'react-hook-form';
import { ApiRefusal } from '#lib/api/api-refusal.ts';
import { call } from '#lib/api/call.ts';
import { useRead } from '#lib/api/use-read.ts';
import { useWrite } from '#lib/api/use-write.ts';
import { resultText } from '#lib/notices/result-text.ts';
import { toast } from '#lib/notices/toaster.ts';
import { useFreshApproval } from '#lib/session/use-fresh-approval.ts';
import { ApprovalDialog } from '#ui/dialog/approval-dialog.tsx';
import type { Versioned } from '#ui/editing/drafts.ts';
import { SettingsSkeleton } from '#ui/editing/settings-skeleton.tsx';
import { secretField, switchField, textField } from '#ui/editing/three-way.ts';
import { useSettingsForm } from '#ui/editing/use-settings-form.ts';
import { AlertLine } from '#ui/feedback/alert-line.tsx';
import { FormField } from '#ui/form/form-field.tsx';
import { SecretField, SecretInput } from '#ui/form/secret-field.tsx';
import { SettingsForm } from '#ui/form/settings-form.tsx';
import { SwitchField } from '#ui/form/switch-field.tsx';
import { Section } from '#ui/list/section.tsx';
import { Page, PageHeader } from '#ui/text/page-header.tsx';
import { ReadState } from './read-state.tsx';

type Outcome = { kind: 'found'; found: ReplyOf<typeof testOidcConfiguration> } | { kind: 'failed'; reason: string };

type ProviderSettings = Pick<PortalOidc, 'configurationUrl' | 'clientId' | 'clientSecret'>;

/** Tests the provider with these settings. The result is discarded when a setting changes. */
function useOidcTest({ configurationUrl, clientId, clientSecret }: ProviderSettings) {
  const { run: send, isPending } = useWrite(testOidcConfiguration);
  const [tested, setTested] = useState<{ key: string; outcome: Outcome }>();
  const body = {
    configurationUrl: configurationUrl.trim(),
    clientId: clientId.trim(),
    clientSecret: clientSecret.trim(),
  };
  const key = JSON.stringify(body);

  const run = async () => {
    setTested(undefined);
    try {
      setTested({ key, outcome: { kind: 'found', found: await send({ body }) } });
    } catch (failure) {
      const reason = failure instanceof ApiRefusal ? failure.issues[0]?.message : undefined;
      setTested({ key, outcome: { kind: 'failed', reason: reason ?? resultText(failure) } });
    }
  };
  const outcome = tested?.key === key ? tested.outcome : undefined;
  const hasFailed =
    outcome?.kind === 'failed' || outcome?.found.checks.some(({ result }) => result === 'refused') === true;
  return { run, isPending, outcome, hasFailed };
}

/** Shows the result of a provider test, or why the test failed. */
function OidcTestResult({ test: { outcome } }: { test: Pick<ReturnType<typeof useOidcTest>, 'outcome'> }) {
  if (!outcome) return null;
  if (outcome.kind === 'failed') return <AlertLine>{outcome.reason}</AlertLine>;
  const { found } = outcome;
  const facts = [
    [t`Issuer`, found.issuer],
    [t`Authorization endpoint`, found.authorizationEndpoint],
    [t`Token endpoint`, found.tokenEndpoint],
    [t`Keys`, found.jwksUri],
    [t`Userinfo endpoint`, found.userinfoEndpoint ?? t`Not supported`],
    [t`Scopes`, found.scopesSupported.join(', ') || t`Not specified`],
    ['PKCE', found.codeChallengeMethodsSupported.join(', ') || t`Not specified`],
  ];
  return (
    <Flex direction="column" gap="3">
      <Box role="status" aria-label={t`Test`} borderWidth="1px" borderRadius="l2" overflow="hidden">
        <Flex align="center" gap="2" px="4" py="2.5" bg="success.subtle" color="success.fg">
          <CircleCheck size={16} aria-hidden />
          <Text fontWeight="medium">{t`The provider responded`}</Text>
        </Flex>
        <chakra.dl display="grid" gridTemplateColumns="max-content minmax(0, 1fr)" columnGap="6" rowGap="2" p="4">
          {facts.map(([name, value]) => (
            <Box key={name} display="contents">
              <chakra.dt textStyle="sm" color="fg.muted">
                {name}
              </chakra.dt>
              <chakra.dd textStyle="code" fontSize="sm" overflowWrap="anywhere">
                {value}
              </chakra.dd>
            </Box>
          ))}
        </chakra.dl>
        {found.checks.length > 0 && (
          <Flex as="ul" direction="column" gap="2" px="4" pb="4" listStyleType="none">
            {found.checks.map(({ subject, result, detail }) => (
              <Check key={subject} result={result} detail={detail} />
            ))}
          </Flex>
        )}
      </Box>
      {found.warnings.map((warning) => (
        <AlertLine key={warning} tone="warning">
          {warning}
        </AlertLine>
      ))}
    </Flex>
  );
}

const SIGNS = {
  accepted: { Sign: CircleCheck, color: 'success.fg', name: t`Accepted` },
  refused: { Sign: CircleX, color: 'fg.error', name: t`Rejected` },
  unknown: { Sign: CircleQuestionMark, color: 'fg.muted', name: t`Unknown` },
} as const;

function Check({ result, detail }: Omit<ProviderCheck, 'subject'>) {
  const { Sign, color, name } = SIGNS[result];
  return (
    <Flex as="li" gap="2.5">
      <Box pt="0.5" flexShrink="0" color={color}>
        <Sign size={16} role="img" aria-label={name} />
      </Box>
      <Text textStyle="sm" overflowWrap="anywhere">
        {detail}
      </Text>
    </Flex>
  );
}

/** Configures the external OpenID provider for signing in to the portal (spec 2 §2). */
export default function OidcPortalAuthScreen() {
  const read = useRead(getOidcConfiguration, {});
  const { run } = useWrite(saveOidcConfiguration, { invalidates: ['Org Settings', 'Portal OIDC'] });
  const { pending, approve } = useFreshApproval();
  const save = async (values: PortalOidc, { version: ifMatch }: Versioned<PortalOidc>) => {
    // If someone else has saved first, this save will be refused. Request the approval only after the merge.
    const isStale = ifMatch !== undefined && (await call(getOidcConfiguration, {})).etag !== ifMatch;
    const approvalId = isStale ? undefined : await approve({ action: 'save-oidc-configuration', content: values });
    const saved = await run({ body: { ...values, approvalId } }, { ifMatch });
    toast.success(t`OIDC Portal Auth saved`);
    return savedOf(saved);
  };
  return (
    <Page width="text">
      <title>{t`OIDC Portal Auth · Orchestrate`}</title>
      <PageHeader
        title={t`OIDC Portal Auth`}
        description={t`Let people sign in to the portal through your own OpenID provider. You'll approve changes on your phone.`}
      />
      <ReadState read={read} skeleton={<SettingsSkeleton cards={skeleton} />}>
        {(saved) => <OidcForm saved={savedOf(saved)} callbackUrl={saved.callbackUrl} save={save} />}
      </ReadState>
      <ApprovalDialog pending={pending}>
        {t`The provider controls who can sign in, so approve this change on your own device. It's saved as soon as you approve.`}
      </ApprovalDialog>
    </Page>
  );
}

const skeleton = [
  { kind: 'fields', count: 4 },
  { kind: 'fields', count: 2 },
] as const;

/** Removes the response envelope. */
const fieldsOf = (oidc: PortalOidc): PortalOidc => ({
  configurationUrl: oidc.configurationUrl,
  clientId: oidc.clientId,
  clientSecret: oidc.clientSecret,
  buttonLabel: oidc.buttonLabel,
  enabled: oidc.enabled,
});

const savedOf = (reply: PortalOidc & { etag?: string }) => ({ values: fieldsOf(reply), version: reply.etag });

const fields = [
  textField<PortalOidc>(t`Configuration URL`, 'configurationUrl'),
  textField<PortalOidc>(t`Client ID`, 'clientId'),
  secretField<PortalOidc>(t`Client secret`, 'clientSecret'),
  textField<PortalOidc>(t`Button label`, 'buttonLabel'),
  switchField<PortalOidc>(t`Enabled`, 'enabled'),
];

interface OidcFormProps {
  saved: Versioned<PortalOidc>;
  callbackUrl: string;
  save: (values: PortalOidc, base: Versioned<PortalOidc>) => Promise<Versioned<PortalOidc>>;
}

function OidcForm({ saved, callbackUrl, save }: OidcFormProps) {
  const { form, frame } = useSettingsForm({
    resolver: zodResolver(portalOidcFields),
    name: 'portal oidc',
    saved,
    save,
    fields,
    formOf: fieldsOf,
    omitted: { clientSecret: 'secret' },
  });
  const { register, control, formState } = form;
  const { errors } = formState;
  const typed = form.watch();
  const test = useOidcTest(typed);
  const runTest = async () => {
    if (await form.trigger('configurationUrl', { shouldFocus: true })) await test.run();
  };
  return (
    <SettingsForm {...frame}>
      <Section isBeside title={t`Provider`} description={t`The OpenID provider that signs people in.`}>
        <Flex direction="column" gap="5">
          <FormField
            label={t`Configuration URL`}
            isRequired
            help={t`The URL of the provider's discovery document, or the provider's issuer URL.`}
            error={errors.configurationUrl?.message}
          >
            <Flex gap="2.5" w="full">
              <Input
                {...register('configurationUrl')}
                type="url"
                inputMode="url"
                maxLength={2_000}
                fontFamily="mono"
                autoComplete="off"
                placeholder={t`https://login.example.com/.well-known/openid-configuration`}
              />
              <Button
                type="button"
                variant="outline"
                loading={test.isPending}
                loadingText={t({ message: 'Test', context: 'do it' })}
                onClick={() => void runTest()}
              >
                <PlugZap aria-hidden />
                {t({ message: 'Test', context: 'do it' })}
              </Button>
            </Flex>
          </FormField>
          <OidcTestResult test={test} />
          <SecretField
            label={t`Callback URL`}
            help={t`Register this URL with the provider. People return to it after they sign in.`}
            value={callbackUrl}
            isSecret={false}
          />
          <FormField label={t`Client ID`} isRequired error={errors.clientId?.message}>
            <Input {...register('clientId')} maxLength={500} autoComplete="off" spellCheck={false} fontFamily="mono" />
          </FormField>
          <FormField
            label={t`Client secret`}
            help={t`The secret that the provider issued to you.`}
            error={errors.clientSecret?.message}
          >
            <Controller
              control={control}
              name="clientSecret"
              render={({ field, fieldState: { isDirty } }) => (
                <SecretInput
                  {...field}
                  label={t`client secret`}
                  isSaved={!isDirty && field.value !== ''}
                  maxLength={1_000}
                />
              )}
            />
          </FormField>
        </Flex>
      </Section>
      <Section isBeside title={t`Sign-in page`} description={t`The button that opens the provider.`}>
        <Flex direction="column" gap="5">
          <FormField
            label={t`Button label`}
            isRequired
            help={t`The text on the button that opens the provider.`}
            error={errors.buttonLabel?.message}
          >
            <Input {...register('buttonLabel')} maxLength={60} autoComplete="off" />
          </FormField>
          <SwitchField
            control={control}
            name="enabled"
            label={t`Enabled`}
            help={t`Shows the button on the sign-in page, below the main button.`}
          />
          {typed.enabled && test.hasFailed && (
            <AlertLine tone="warning">
              {t`The last test of this provider failed. If you enable it anyway, people won't be able to sign in with the button.`}
            </AlertLine>
          )}
        </Flex>
      </Section>
    </SettingsForm>
  );
}
