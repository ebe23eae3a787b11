import { Box, Flex, Input, Link } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import {
  type ApplicationDetail,
  hasSignIn,
  ID_TOKEN_ALGORITHMS,
  isPublicKind,
  needsAddress,
  type OidcConfiguration,
} from '@orchestrate/shared';
import { ExternalLink } from 'lucide-react';
import { useFormContext, useWatch } from 'react-hook-form';
import { AlertLine } from '#ui/feedback/alert-line.tsx';
import { FormField } from '#ui/form/form-field.tsx';
import { SecretField } from '#ui/form/secret-field.tsx';
import { Select } from '#ui/form/select.tsx';
import { TextArea } from '#ui/form/text-area.tsx';
import { AccordionSection } from '#ui/list/accordion-section.tsx';
import { Section } from '#ui/list/section.tsx';
import type { AppForm } from '../editor/app-form.ts';
import { QuickStartSection, quickStartOf } from '../quick-starts/quick-start-section.tsx';
import { AppPreviewSection } from '../test-sign-in/app-preview-section.tsx';
import { AppClaims } from './app-claims.tsx';
import { CALLBACK_HELP } from './client-kind-texts.ts';
import { ClientSecrets } from './client-secrets.tsx';
import { Endpoints } from './endpoints.tsx';
import { lifetimesOf, TokenSettings } from './token-settings.tsx';
import { UnencryptedWarning } from './unencrypted-warning.tsx';
import { UnsavedCallback, Urls, useOfferedCallback } from './urls.tsx';

interface ClientKeysProps {
  /** True if the client can keep a private key. False for public clients, because anyone can read their code. */
  mayHaveKeys: boolean;
  /** True if the application receives ID tokens. */
  signsIn: boolean;
}

/** Edits the keys that an application authenticates with, and the signature algorithm of its ID tokens. */
function ClientKeys({ mayHaveKeys, signsIn }: ClientKeysProps) {
  const { register, formState } = useFormContext<AppForm>();
  const wrong = formState.errors.oidc;
  return (
    <Flex direction="column" gap="5" maxW="fields">
      {mayHaveKeys && (
        <>
          <FormField
            label={t`Public keys`}
            help={t`A JSON Web Key Set. If you add keys, the application authenticates with private_key_jwt and its secrets aren't accepted.`}
            error={wrong?.keys?.message}
          >
            <TextArea {...register('oidc.keys')} rows={6} fontFamily="mono" spellCheck={false} autoComplete="off" />
          </FormField>
          <FormField
            label={t`Key set URL`}
            help={t`As an alternative, enter the address where the application publishes its keys. The application can then rotate its keys without changes here.`}
            error={wrong?.keysUrl?.message}
          >
            <Input {...register('oidc.keysUrl')} inputMode="url" autoComplete="off" spellCheck={false} />
          </FormField>
        </>
      )}
      {signsIn && (
        <FormField label={t`ID token signature algorithm`} help={t`RS256 works with every client.`}>
          <Select {...register('oidc.idTokenAlg')} width="40">
            {ID_TOKEN_ALGORITHMS.map((algorithm) => (
              <option key={algorithm}>{algorithm}</option>
            ))}
          </Select>
        </FormField>
      )}
    </Flex>
  );
}

const LOGOUTS = [
  {
    name: 'backchannelLogoutUrl',
    label: t`Back-channel logout URL`,
    help: t`We'll send a logout token to this address when someone signs out (OpenID Connect Back-Channel Logout).`,
  },
  {
    name: 'frontchannelLogoutUrl',
    label: t`Front-channel logout URL`,
    help: t`The browser opens this page of your application when someone signs out. Its scheme, host and port must match a callback URL (OpenID Connect Front-Channel Logout).`,
  },
] as const;

/** Returns the hint for the keys section. The parameters are described in `ClientKeysProps`. */
function keysHint(mayHaveKeys: boolean, signsIn: boolean): string {
  if (!mayHaveKeys) return t`ID token signing`;
  return signsIn ? t`Client authentication and ID token signing` : t`Client authentication`;
}

/** Returns the hint for the advanced settings. The parameters are described in `ClientKeysProps`. */
function advancedHint(mayHaveKeys: boolean, signsIn: boolean): string {
  if (!signsIn) return t`Endpoints, claims and keys`;
  return mayHaveKeys
    ? t`Endpoints, claims, single logout, keys and signatures`
    : t`Endpoints, claims, single logout and signatures`;
}

interface OidcTabProps {
  app: ApplicationDetail;
  configuration: OidcConfiguration;
}

/** Displays and edits the connection settings for an OIDC client (spec 2 §2). */
export function OidcTab({ app, configuration }: OidcTabProps) {
  const { appId, name } = app;
  const quickStart = quickStartOf(app);
  const offered = useOfferedCallback();
  const { control, register, formState } = useFormContext<AppForm>();
  const { errors } = formState;
  const { clients } = configuration;
  const wrong = errors.oidc;
  const signsIn = hasSignIn(clients.kind);
  const mayHaveKeys = !isPublicKind(clients.kind);
  const signsForItself = clients.token_endpoint_auth_method === 'private_key_jwt';
  const hasSecrets = configuration.clientSecrets.length > 0;
  const isNeeded = needsAddress(clients.kind);
  const hasAdvancedErrors = Boolean(
    wrong?.claims || wrong?.keys || wrong?.keysUrl || LOGOUTS.some(({ name: field }) => wrong?.[field]),
  );
  const [callbackUrls, logoutUrls, frontchannelLogoutUrl] = useWatch({
    control,
    name: ['oidc.callbackUrls', 'oidc.logoutUrls', 'oidc.frontchannelLogoutUrl'],
  });
  return (
    <Flex direction="column" gap="5">
      {configuration.isClosed && (
        <AlertLine tone="warning">
          {signsIn
            ? t`This application has no valid secret. Its requests are refused, and no one can sign in to it.`
            : t`This application has no valid secret. Its requests are refused.`}{' '}
          {t`Add a secret, or the public keys the application authenticates with.`}
        </AlertLine>
      )}
      <Section
        title={t`Credentials`}
        description={t`Enter these values in your application.`}
        aside={<DiscoveryLink address={configuration.discoveryUrl} />}
      >
        <Flex direction="column" gap="5" maxW="fields">
          <SecretField
            label={t`Domain URL`}
            value={configuration.domainUrl}
            isSecret={false}
            help={t`Clients call this URL the issuer.`}
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
          <SecretField label={t`Client ID`} value={clients.client_id} isSecret={false} />
          {!signsForItself && clients.client_secret !== '' && (
            <SecretField label={t`Client secret`} value={clients.client_secret} />
          )}
        </Flex>
      </Section>
      {quickStart && <QuickStartSection {...quickStart} />}
      {signsIn && (
        <AccordionSection
          // Opens again for an address from a refused sign-in.
          key={offered.last}
          title={t`Attributes`}
          hint={t`Callback and logout URLs. They have to match exactly.`}
          isOpenAtFirst
          hasErrors={Boolean(wrong?.callbackUrls || wrong?.logoutUrls)}
        >
          <Flex direction="column" gap="6" maxW="fields">
            <Urls
              name="oidc.callbackUrls"
              label={t`Callback URL`}
              help={CALLBACK_HELP[isNeeded ? 'needed' : 'optional']}
              isRequired={isNeeded}
              offered={offered.address}
            />
            <UnsavedCallback name={name} address={offered.last} saved={clients.redirect_uris} />
            <UnencryptedWarning addresses={callbackUrls.map(({ value }) => value)} />
            <Urls
              name="oidc.logoutUrls"
              label={t`Logout URL`}
              help={t`We'll send people to this address after they sign out.`}
              isRequired={isNeeded}
            />
            <UnencryptedWarning isLogout addresses={logoutUrls.map(({ value }) => value)} />
          </Flex>
        </AccordionSection>
      )}
      <AccordionSection
        title={t`Token lifetimes`}
        hint={t`Lifetimes, format, rotation and exchange of tokens`}
        hasErrors={lifetimesOf(signsIn).some(({ name }) => wrong?.[name])}
      >
        <TokenSettings appId={clients.client_id} kind={clients.kind} />
      </AccordionSection>
      {mayHaveKeys && (!signsForItself || hasSecrets) && (
        <ClientSecrets appId={appId} secrets={configuration.clientSecrets} isIgnored={signsForItself} />
      )}
      <AccordionSection
        look="group"
        title={t`Advanced`}
        hint={advancedHint(mayHaveKeys, signsIn)}
        isOpenAtFirst={signsForItself}
        hasErrors={hasAdvancedErrors}
      >
        <Endpoints configuration={configuration} />
        <AccordionSection
          title={t`Claims`}
          hint={
            signsIn
              ? t`Values the application receives in addition to those in the standard scopes`
              : t`Values that the access tokens contain`
          }
          hasErrors={Boolean(wrong?.claims)}
        >
          <AppClaims signsIn={signsIn} />
        </AccordionSection>
        {signsIn && (
          <AccordionSection
            title={t`Single logout`}
            hint={t`How the application is notified when someone signs out`}
            hasErrors={LOGOUTS.some(({ name }) => wrong?.[name])}
          >
            <Flex direction="column" gap="5" maxW="fields">
              {LOGOUTS.map(({ name, label, help }) => (
                <FormField key={name} label={label} help={help} error={wrong?.[name]?.message}>
                  <Input {...register(`oidc.${name}`)} inputMode="url" autoComplete="off" spellCheck={false} />
                </FormField>
              ))}
              <UnencryptedWarning isLogout addresses={[frontchannelLogoutUrl]} />
            </Flex>
          </AccordionSection>
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
