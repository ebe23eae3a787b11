import { Box, Flex, Input, Link, SimpleGrid } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { hasSignIn, isPublicKind, isUnencrypted, needsAddress, type OidcConfiguration } from '@orchestrate/shared';
import { ExternalLink } from 'lucide-react';
import { type Control, useFieldArray, useFormContext, useWatch } from 'react-hook-form';
import { AccordionSection } from '../../../ui/accordion-section.tsx';
import { AlertLine } from '../../../ui/alert-line.tsx';
import { FormField } from '../../../ui/form-field.tsx';
import { NumberField } from '../../../ui/number-field.tsx';
import { SecretField } from '../../../ui/secret-field.tsx';
import { Section } from '../../../ui/section.tsx';
import type { AppForm } from '../editor/app-form.ts';
import { QuickStartSection } from '../quick-starts/quick-start-section.tsx';
import { AppPreviewSection } from '../try/app-preview-section.tsx';
import { AppClaims } from './app-claims.tsx';
import { ClientKeys } from './client-keys.tsx';
import { CALLBACK_HELP } from './client-kind-texts.ts';
import { ClientSecrets } from './client-secrets.tsx';
import { Endpoints } from './endpoints.tsx';
import { UrlListField } from './url-list-field.tsx';

const LIFETIMES = [
  { name: 'ttl_IdToken', label: t`ID token` },
  { name: 'ttl_AccessToken', label: t`Access token` },
  { name: 'ttl_AuthorizationCode', label: t`Authorization code` },
  { name: 'ttl_RefreshToken', label: t`Refresh token` },
] as const;

const LOGOUTS = [
  {
    name: 'backchannelLogoutUrl',
    label: t`Back-channel logout URL`,
    help: t`The portal sends a logout token there (OpenID Connect Back-Channel Logout).`,
  },
  {
    name: 'frontchannelLogoutUrl',
    label: t`Front-channel logout URL`,
    help: t`The browser opens this page of the application when somebody signs out. It must have the scheme, host and port of a callback URL (OpenID Connect Front-Channel Logout).`,
  },
] as const;

/** What the section about keys is about: `mayHaveKeys` and `signsIn` are as there. */
function keysHint(mayHaveKeys: boolean, signsIn: boolean): string {
  if (!mayHaveKeys) return t`How ID tokens are signed`;
  return signsIn
    ? t`How the application authenticates, and how its ID tokens are signed`
    : t`How the application authenticates`;
}

interface OidcTabProps {
  appId: string;
  name: string;
  configuration: OidcConfiguration;
}

/** What an OIDC client and the portal need to know of each other (spec 2 §2). */
export function OidcTab({ appId, name, configuration }: OidcTabProps) {
  const { register, formState } = useFormContext<AppForm>();
  const { errors } = formState;
  const { clients } = configuration;
  const wrong = errors.oidc;
  const signsIn = hasSignIn(clients.kind);
  const mayHaveKeys = !isPublicKind(clients.kind);
  const signsForItself = clients.token_endpoint_auth_method === 'private_key_jwt';
  const hasSecrets = configuration.clientSecrets.length > 0;
  const isNeeded = needsAddress(clients.kind);
  const lifetimes = signsIn ? LIFETIMES : LIFETIMES.filter(({ name }) => name === 'ttl_AccessToken');
  return (
    <Flex direction="column" gap="5">
      {configuration.isClosed && (
        <AlertLine tone="warning">
          {signsIn
            ? t`This application is closed: it has no valid secret. Its requests are refused, and nobody can sign in to it.`
            : t`This application is closed: it has no valid secret. Its requests are refused.`}{' '}
          {t`Add a secret to open it, or the public keys it authenticates with.`}
        </AlertLine>
      )}
      <Section title={t`Client`} aside={<DiscoveryLink address={configuration.discoveryUrl} />}>
        <Flex direction="column" gap="5" maxW="2xl">
          <SecretField
            label={t`Domain URL`}
            value={configuration.domainUrl}
            isSecret={false}
            help={t`Clients call it the issuer.`}
          />
          {signsIn ? (
            <SecretField
              label={t`Authorization endpoint`}
              value={configuration.authorizationEndpoint}
              isSecret={false}
            />
          ) : (
            <SecretField label={t`Token endpoint`} value={configuration.endpoints.token_endpoint} isSecret={false} />
          )}
          <SecretField label={t`Client id`} value={clients.client_id} isSecret={false} />
          {!signsForItself && clients.client_secret !== '' && (
            <SecretField label={t`Client secret`} value={clients.client_secret} />
          )}
        </Flex>
      </Section>
      <Endpoints configuration={configuration} />
      {clients.kind === 'web' && !signsForItself && clients.redirect_uris.length > 0 && (
        <QuickStartSection protocol="oidc" configuration={configuration} />
      )}
      {mayHaveKeys && (!signsForItself || hasSecrets) && (
        <ClientSecrets appId={appId} secrets={configuration.clientSecrets} isIgnored={signsForItself} />
      )}
      {signsIn && (
        <AccordionSection
          title={t`Attributes`}
          hint={t`Callback and logout URLs`}
          isOpenAtFirst
          hasErrors={Boolean(wrong?.callbackUrls || wrong?.logoutUrls)}
        >
          <Flex direction="column" gap="6" maxW="2xl">
            <Urls
              name="oidc.callbackUrls"
              label={t`Callback URL`}
              help={CALLBACK_HELP[isNeeded ? 'needed' : 'optional']}
              isRequired={isNeeded}
            />
            <UnencryptedWarning />
            <Urls
              name="oidc.logoutUrls"
              label={t`Logout URL`}
              help={t`Where people go after they sign out.`}
              isRequired={isNeeded}
            />
          </Flex>
        </AccordionSection>
      )}
      {signsIn && (
        <>
          <AccordionSection
            title={t`Claims`}
            hint={t`What the application is told besides the standard scopes`}
            hasErrors={Boolean(wrong?.claims)}
          >
            <AppClaims />
          </AccordionSection>
          <AccordionSection
            title={t`Single logout`}
            hint={t`Where the application learns that somebody has signed out`}
            hasErrors={LOGOUTS.some(({ name }) => wrong?.[name])}
          >
            <Flex direction="column" gap="5" maxW="2xl">
              {LOGOUTS.map(({ name, label, help }) => (
                <FormField key={name} label={label} help={help} error={wrong?.[name]?.message}>
                  <Input {...register(`oidc.${name}`)} inputMode="url" autoComplete="off" spellCheck={false} />
                </FormField>
              ))}
            </Flex>
          </AccordionSection>
        </>
      )}
      {(mayHaveKeys || signsIn) && (
        <AccordionSection
          title={t`Keys and signatures`}
          hint={keysHint(mayHaveKeys, signsIn)}
          isOpenAtFirst={signsForItself}
          hasErrors={Boolean(wrong?.keys || wrong?.keysUrl)}
        >
          <ClientKeys mayHaveKeys={mayHaveKeys} signsIn={signsIn} />
        </AccordionSection>
      )}
      <AccordionSection
        title={t`Token lifetimes`}
        hint={t`How long codes and tokens are valid`}
        hasErrors={lifetimes.some(({ name }) => wrong?.[name])}
      >
        <Lifetimes lifetimes={lifetimes} />
      </AccordionSection>
      {signsIn && <AppPreviewSection appId={appId} name={name} />}
    </Flex>
  );
}

function DiscoveryLink({ address }: { address: string }) {
  return (
    <Link href={address} target="_blank" rel="noreferrer" textStyle="sm">
      <Trans>
        OpenID discovery document
        <Box as="span">
          <ExternalLink size={14} aria-hidden />
        </Box>
      </Trans>
    </Link>
  );
}

interface UrlsProps {
  name: 'oidc.callbackUrls' | 'oidc.logoutUrls';
  label: string;
  help: string;
  isRequired: boolean;
}

function UnencryptedWarning() {
  const rows = useWatch<AppForm, 'oidc.callbackUrls'>({ name: 'oidc.callbackUrls' });
  return rows.some(({ value }) => isUnencrypted(value)) ? (
    <AlertLine tone="warning">{t`Sign-ins end at an address without TLS, where others can read their codes: use https.`}</AlertLine>
  ) : null;
}

function Urls({ name, label, help, isRequired }: UrlsProps) {
  const { control, register, getFieldState, formState } = useFormContext<AppForm>();
  const { fields, append, remove } = useFieldArray({ control: control as Control<AppForm>, name });
  return (
    <UrlListField
      label={label}
      help={help}
      isRequired={isRequired}
      rows={fields}
      inputOf={(row) => register(`${name}.${row}.value`)}
      errorOf={(row) => getFieldState(`${name}.${row}.value`, formState).error?.message}
      onAdd={() => append({ value: '' })}
      onRemove={remove}
    />
  );
}

function Lifetimes({ lifetimes }: { lifetimes: readonly (typeof LIFETIMES)[number][] }) {
  const { register, formState } = useFormContext<AppForm>();
  return (
    <SimpleGrid columns={{ sm: 2 }} gap="5" maxW="2xl">
      {lifetimes.map(({ name, label }) => (
        <NumberField
          key={name}
          label={label}
          isRequired
          unit={t`seconds`}
          {...(name === 'ttl_RefreshToken' ? { help: t`0: no refresh tokens` } : { min: 1 })}
          error={formState.errors.oidc?.[name]?.message}
          {...register(`oidc.${name}`, { valueAsNumber: true })}
        />
      ))}
    </SimpleGrid>
  );
}
