import { Box, Button, Flex, Input, Text } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { type ApplicationDetail, NAME_ID_FORMATS, type SamlConfiguration } from '@orchestrate/shared';
import { Download, FileUp } from 'lucide-react';
import { useState } from 'react';
import { useFormContext, useWatch } from 'react-hook-form';
import { saveFile } from '#lib/api/files.ts';
import { inSentence } from '#lib/format/labels.ts';
import { AlertLine } from '#ui/feedback/alert-line.tsx';
import { CopyButton } from '#ui/feedback/copy-button.tsx';
import { StatusBadge } from '#ui/feedback/status-badge.tsx';
import { FormField } from '#ui/form/form-field.tsx';
import { SecretField } from '#ui/form/secret-field.tsx';
import { Select } from '#ui/form/select.tsx';
import { SwitchField } from '#ui/form/switch-field.tsx';
import { Section } from '#ui/list/section.tsx';
import { CodeDisplay } from '#ui/text/code-display.tsx';
import { type AppForm, hasUnparsedMetadata, NO_UNPARSED_METADATA } from '../editor/app-form.ts';
import { QuickStartSection } from '../quick-starts/quick-start-section.tsx';
import { AppPreviewSection } from '../test-sign-in/app-preview-section.tsx';
import { DownloadIdpMetadata } from './download-idp-metadata.tsx';
import { MetadataSource } from './metadata-source.tsx';
import { SamlAttributes } from './saml-attributes.tsx';
import { CertificateValidity, ServiceProviderPreview } from './service-provider-preview.tsx';
import { useMemberFields, useTemplateProblem } from './use-template-problem.ts';

type Provider = SamlConfiguration['identityProvider'];

interface IdentityProviderProps {
  appId: string;
  provider: Provider;
}

/** Shows the portal's settings for the service provider. */
function IdentityProvider({ appId, provider }: IdentityProviderProps) {
  const { entityId, singleSignOnUrl, singleLogoutUrl, metadataUrl, certificates } = provider;
  return (
    <Section
      title={t`Identity provider`}
      description={t`Enter these values at the service provider.`}
      aside={<DownloadIdpMetadata appId={appId} />}
    >
      <Flex direction="column" gap="5" maxW="fields">
        <SecretField label={t`Entity ID`} value={entityId} isSecret={false} />
        <SecretField label={t`Single sign-on URL`} value={singleSignOnUrl} isSecret={false} />
        <SecretField label={t`Single logout URL`} value={singleLogoutUrl} isSecret={false} />
        <SecretField label={t`Metadata URL`} value={metadataUrl} isSecret={false} />
        <Flex direction="column" gap="3">
          <Text textStyle="sm" fontWeight="medium">
            {certificates.length === 1 ? t`Signing certificate` : t`Signing certificates`}
          </Text>
          {certificates.map((certificate, at) => (
            <SigningCertificate
              key={certificate.fingerprint}
              certificate={certificate}
              use={certificates.length === 1 ? undefined : at === 0 ? 'signs' : 'accepted'}
            />
          ))}
        </Flex>
      </Flex>
    </Section>
  );
}

const USES = {
  signs: { status: t`In use`, tone: 'success' },
  accepted: { status: t`Still accepted`, tone: 'neutral' },
} as const;

interface SigningCertificateProps {
  certificate: Provider['certificates'][number];
  /** Absent if there is only one certificate. */
  use: keyof typeof USES | undefined;
}

/** Shows the certificate and its fingerprint for service providers that don't read metadata. */
function SigningCertificate({ certificate, use }: SigningCertificateProps) {
  const { subject, fingerprint, pem } = certificate;
  return (
    <Flex
      role="group"
      aria-label={use ? `${subject}, ${inSentence(USES[use].status)}` : subject}
      direction="column"
      gap="3"
      p="3"
      borderWidth="1px"
      borderRadius="l2"
    >
      <Flex align="center" gap="3" wrap="wrap">
        <Text fontWeight="medium" overflowWrap="anywhere">
          {subject}
        </Text>
        {use && <StatusBadge {...USES[use]} />}
        <Flex ms="auto" gap="1" align="center">
          <CopyButton text={pem} label={t`Copy certificate`} />
          <Button
            variant="outline"
            size="sm"
            onClick={() => saveFile('saml-idp-certificate.pem', 'application/x-pem-file', pem)}
          >
            <Download />
            {t`Download certificate`}
          </Button>
        </Flex>
      </Flex>
      <Flex gap="1.5" color="fg.muted" textStyle="sm" align="center" wrap="wrap">
        <Trans>
          Valid until <CertificateValidity certificate={certificate} />
        </Trans>
      </Flex>
      <Flex direction="column" gap="1.5" minW="0">
        <Text textStyle="xs" color="fg.muted">
          {t`Fingerprint (SHA-256)`}
        </Text>
        <CodeDisplay code={fingerprint} label={t`Fingerprint`} />
      </Flex>
    </Flex>
  );
}

/** Shortens `urn:…:nameid-format:emailAddress` to `emailAddress`. */
const shortName = (format: string) => format.split(':').at(-1) ?? format;

const PERSISTENT = 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent';
const EMAILS = ['email', 'primaryEmail'];

/**
 * Returns true if the name ID contains the email address.
 * @param template overrides the field; '' if there is none
 */
const isOfEmail = (field: string, template: string): boolean =>
  template === '' ? EMAILS.includes(field) : EMAILS.some((email) => template.includes(`{${email}`));

/** Edits the user's identifier at the service provider, and the redirect URL for sign-ins that start in the portal. */
function SamlNameId() {
  const { register, formState, control } = useFormContext<AppForm>();
  const wrong = formState.errors.saml;
  const fields = useMemberFields();
  const [source, format, template] = useWatch({
    control,
    name: ['saml.samlNameId', 'saml.samlNameIdFormat', 'saml.samlNameIdTransformationTemplate'],
  });
  const problem = useTemplateProblem(template);
  const isPassing = format === PERSISTENT && isOfEmail(source, template);
  return (
    <Section title={t`Sign-in`} description={t`Where people start, and how the service provider recognises them.`}>
      <Flex direction="column" gap="5" maxW="fields">
        <FormField
          label={t`Redirect URL`}
          isRequired
          help={t`The page that opens when people start the application from the portal.`}
          error={wrong?.redirectUrl?.message}
        >
          <Input
            {...register('saml.redirectUrl')}
            inputMode="url"
            placeholder={t`https://app.example.com/`}
            autoComplete="off"
            spellCheck={false}
          />
        </FormField>
        <FormField
          label={t`Name ID`}
          isRequired
          help={t`The member field used as the name ID.`}
          error={wrong?.samlNameId?.message}
        >
          <Select {...register('saml.samlNameId')}>
            {fields.map((field) => (
              <option key={field} value={field}>
                {field}
              </option>
            ))}
          </Select>
        </FormField>
        <FormField
          label={t`Name ID format`}
          help={t`If the service provider requests a persistent name ID, each person gets a pseudonym that no other application knows.`}
          error={wrong?.samlNameIdFormat?.message}
        >
          <Select {...register('saml.samlNameIdFormat')}>
            <option value="">{t`The format that the service provider requests`}</option>
            {NAME_ID_FORMATS.map((format) => (
              <option key={format} value={format}>
                {shortName(format)}
              </option>
            ))}
          </Select>
        </FormField>
        {isPassing && (
          <AlertLine tone="warning">
            {t`A persistent name ID must never change or reveal who the person is, but an email address can change and be reassigned. Choose suid or another format.`}
          </AlertLine>
        )}
        <FormField
          label={t`Name ID transformation template`}
          help={t`Optional, for example ${'${primaryAttr}@example.com'}`}
          error={problem ?? wrong?.samlNameIdTransformationTemplate?.message}
        >
          <Input
            {...register('saml.samlNameIdTransformationTemplate')}
            fontFamily="mono"
            autoComplete="off"
            spellCheck={false}
          />
        </FormField>
      </Flex>
    </Section>
  );
}

/** Shows the service provider's metadata with a download, or prompts for new metadata. */
function ServiceProviderSection({ appId }: { appId: string | undefined }) {
  const { clearErrors, control, watch, formState, setValue } = useFormContext<AppForm>();
  const metadata = watch('saml.metadata') ?? '';
  const serviceProvider = watch('saml.serviceProvider');
  const unread = watch('saml.unread') ?? NO_UNPARSED_METADATA;
  const wrong = formState.errors.saml;
  const [isReplacing, setIsReplacing] = useState(false);
  // Metadata from before any upload, to restore on cancel.
  const [before] = useState({ metadata, serviceProvider });
  const isStarted = isReplacing || hasUnparsedMetadata(unread) || wrong?.unread !== undefined;
  const isUploading = isStarted || metadata === '' || !serviceProvider;

  const cancel = () => {
    setValue('saml.serviceProvider', before.serviceProvider ?? null);
    setValue('saml.metadata', before.metadata, { shouldDirty: true });
    setValue('saml.unread', NO_UNPARSED_METADATA, { shouldDirty: true });
    clearErrors('saml.unread');
    setIsReplacing(false);
  };

  if (isUploading)
    return (
      <Section
        title={t`Service provider metadata`}
        description={t`Addresses and certificates of the application.`}
        aside={
          before.metadata !== '' && (
            <Button variant="outline" size="sm" onClick={cancel}>
              {t`Cancel upload`}
            </Button>
          )
        }
      >
        <MetadataSource missing={wrong?.metadata?.message} onRead={() => setIsReplacing(false)} />
      </Section>
    );
  return (
    <Section
      title={t`Service provider metadata`}
      description={t`Addresses and certificates of the application.`}
      aside={
        <Flex gap="2">
          {appId && (
            <Button
              variant="outline"
              size="sm"
              onClick={() => saveFile('saml-sp-metadata.xml', 'application/xml', metadata)}
            >
              <Download />
              {t`Download`}
            </Button>
          )}
          <Button variant="outline" size="sm" onClick={() => setIsReplacing(true)}>
            <FileUp />
            {t`Replace`}
          </Button>
        </Flex>
      }
    >
      <Flex direction="column" gap="5">
        <ServiceProviderPreview serviceProvider={serviceProvider} />
        <Box maxW="fields">
          <SwitchField
            control={control}
            name="saml.encryptAssertions"
            label={t`Encrypt assertions`}
            help={t`Uses the RSA encryption key from this metadata.`}
          />
        </Box>
      </Flex>
    </Section>
  );
}

/**
 * Edits and shows the connection settings for a SAML service provider.
 * @param app absent in create mode
 */
export function SamlTab({ app }: { app?: ApplicationDetail }) {
  return (
    <Flex direction="column" gap="5">
      {app?.samlConfiguration && (
        <>
          <IdentityProvider appId={app.appId} provider={app.samlConfiguration.identityProvider} />
          <QuickStartSection protocol="saml" configuration={app.samlConfiguration} />
        </>
      )}
      <ServiceProviderSection appId={app?.appId} />
      <SamlNameId />
      <SamlAttributes />
      {app && <AppPreviewSection appId={app.appId} name={app.name} />}
    </Flex>
  );
}
