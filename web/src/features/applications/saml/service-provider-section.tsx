import { Box, Button, Flex } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { Download, FileUp } from 'lucide-react';
import { useState } from 'react';
import { useFormContext } from 'react-hook-form';
import { saveFile } from '../../../lib/browser/save-file.ts';
import { Section } from '../../../ui/section.tsx';
import { SwitchField } from '../../../ui/switch-field.tsx';
import { type AppForm, isUnread, NOTHING_UNREAD } from '../editor/app-form.ts';
import { MetadataSource } from './metadata-source.tsx';
import { ServiceProviderPreview } from './service-provider-preview.tsx';

/** The metadata of the service provider: what they say, with a download, or a place to upload others. */
export function ServiceProviderSection({ appId }: { appId: string | undefined }) {
  const { clearErrors, control, watch, formState, setValue } = useFormContext<AppForm>();
  const metadata = watch('saml.metadata') ?? '';
  const serviceProvider = watch('saml.serviceProvider');
  const unread = watch('saml.unread') ?? NOTHING_UNREAD;
  const wrong = formState.errors.saml;
  const [isReplacing, setIsReplacing] = useState(false);
  // The metadata before any upload.
  const [before] = useState({ metadata, serviceProvider });
  const isStarted = isReplacing || isUnread(unread) || wrong?.unread !== undefined;
  const isUploading = isStarted || metadata === '' || !serviceProvider;

  const cancel = () => {
    setValue('saml.serviceProvider', before.serviceProvider ?? null);
    setValue('saml.metadata', before.metadata, { shouldDirty: true });
    setValue('saml.unread', NOTHING_UNREAD, { shouldDirty: true });
    clearErrors('saml.unread');
    setIsReplacing(false);
  };

  if (isUploading)
    return (
      <Section
        title={t`Service provider metadata`}
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
        <Box maxW="2xl">
          <SwitchField
            control={control}
            name="saml.encryptAssertions"
            label={t`Encrypt assertions`}
            help={t`Uses the RSA encryption key in this metadata.`}
          />
        </Box>
      </Flex>
    </Section>
  );
}
