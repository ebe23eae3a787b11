import { Box, Button, Flex, Input } from '@chakra-ui/react';
import { zodResolver } from '@hookform/resolvers/zod';
import { t } from '@lingui/core/macro';
import { LIMITS, optionalText, text, webAddress } from '@orchestrate/shared';
import { type KeyboardEvent, useState } from 'react';
import { useForm, useFormContext } from 'react-hook-form';
import { z } from 'zod';
import { AlertLine } from '#ui/feedback/alert-line.tsx';
import { FileDrop } from '#ui/form/file-drop.tsx';
import { FormField } from '#ui/form/form-field.tsx';
import { Select } from '#ui/form/select.tsx';
import { TextArea } from '#ui/form/text-area.tsx';
import { TabList } from '#ui/list/tab-list.tsx';
import { type AppForm, hasUnparsedMetadata, NO_UNPARSED_METADATA, type UnparsedMetadata } from '../editor/app-form.ts';
import { useOnMissedSubmit, useReadMetadata } from './use-read-metadata.ts';

const handForm = z.object({
  entityId: text(1_000),
  assertionConsumerServiceUrl: webAddress,
  singleLogoutServiceUrl: z.literal('').or(webAddress),
  certificate: optionalText(20_000),
});
type HandForm = z.output<typeof handForm>;

interface MetadataByHandProps extends Pick<ReturnType<typeof useReadMetadata>, 'read' | 'isReading' | 'type'> {
  initial: HandForm;
  /** True if the form was submitted without metadata. */
  isMissed: boolean;
}

/** Collects a service provider's data manually if there is no metadata to upload. */
function MetadataByHand({ initial, read, isReading, type, isMissed }: MetadataByHandProps) {
  const form = useForm<HandForm>({ resolver: zodResolver(handForm), mode: 'onTouched', defaultValues: initial });
  const { errors } = form.formState;
  const use = form.handleSubmit(({ singleLogoutServiceUrl, certificate, ...facts }) =>
    read({
      ...facts,
      ...(singleLogoutServiceUrl && { singleLogoutServiceUrl }),
      ...(certificate && { certificate }),
    }),
  );
  useOnMissedSubmit(isMissed, () => void use());
  const onEnter = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.target instanceof HTMLInputElement)) return;
    // Prevents the surrounding form from being submitted too.
    event.preventDefault();
    void use();
  };
  return (
    <Flex direction="column" gap="5" onKeyDown={onEnter} onChange={() => type(form.getValues())}>
      <FormField label={t`Entity ID`} isRequired error={errors.entityId?.message}>
        <Input {...form.register('entityId')} autoComplete="off" spellCheck={false} />
      </FormField>
      <FormField
        label={t`Assertion consumer service URL`}
        isRequired
        error={errors.assertionConsumerServiceUrl?.message}
      >
        <Input
          {...form.register('assertionConsumerServiceUrl')}
          inputMode="url"
          autoComplete="off"
          spellCheck={false}
        />
      </FormField>
      <FormField label={t`Single logout service URL`} help={t`Optional`} error={errors.singleLogoutServiceUrl?.message}>
        <Input {...form.register('singleLogoutServiceUrl')} inputMode="url" autoComplete="off" spellCheck={false} />
      </FormField>
      <FormField
        label={t`Certificate`}
        help={t`Optional, in PEM format. Used to verify the service provider’s requests.`}
        error={errors.certificate?.message}
      >
        <TextArea {...form.register('certificate')} rows={4} fontFamily="mono" spellCheck={false} />
      </FormField>
      <Button
        alignSelf="flex-start"
        variant="outline"
        loading={isReading}
        loadingText={t`Use these values`}
        onClick={() => void use()}
      >
        {t`Use these values`}
      </Button>
    </Flex>
  );
}

const SOURCES = [
  { value: 'file', label: t`XML file` },
  { value: 'url', label: 'URL' },
  { value: 'hand', label: t`Manually` },
] as const;
type Source = (typeof SOURCES)[number]['value'];

/** Returns the sources with input that hasn't been read yet. */
const unreadSources = ({ url, ...facts }: UnparsedMetadata): Source[] => [
  ...(url.trim() === '' ? [] : ['url' as const]),
  ...(hasUnparsedMetadata({ ...facts, url: '' }) ? ['hand' as const] : []),
];

interface MetadataSourceProps {
  /** Error message if the metadata is missing. */
  missing: string | undefined;
  onRead: () => void;
}

/** Reads a service provider's metadata from a file, a URL or manual input. The server parses it and reports errors. */
export function MetadataSource({ missing, onRead }: MetadataSourceProps) {
  const { getValues } = useFormContext<AppForm>();
  const typed = () => getValues('saml.unread') ?? NO_UNPARSED_METADATA;
  const [source, setSource] = useState(() => unreadSources(typed())[0] ?? 'file');
  const [file, setFile] = useState<File>();
  const metadata = useReadMetadata(onRead);
  const { read, problem, forget } = metadata;
  const isMissed = missing !== undefined || metadata.isUnread;
  // Open the tab that contains the unread input, because it may not be the current tab.
  useOnMissedSubmit(isMissed, () => {
    const sources = unreadSources(typed());
    if (!sources.includes(source)) setSource(sources[0] ?? source);
  });

  const take = async (chosen: File | undefined) => {
    setFile(chosen);
    forget();
    if (chosen) await read(base64Of(chosen).then((content) => ({ file: content })));
  };
  return (
    <Box maxW="fields">
      <TabList
        label={t`Metadata source`}
        tabs={SOURCES}
        value={source}
        onChange={(next) => {
          forget();
          setSource(next);
        }}
      >
        {source === 'file' && (
          <FileDrop
            label={t`SP metadata`}
            formats={['XML']}
            maxBytes={LIMITS.samlMetadataBytes}
            file={file}
            onFile={(chosen) => void take(chosen)}
            error={problem ?? missing}
          />
        )}
        {source === 'url' && (
          <MetadataByUrl {...metadata} initial={typed().url} isMissed={isMissed} missing={missing} />
        )}
        {source !== 'hand' && metadata.choices && (
          <EntityChoice entityIds={metadata.choices} onChoose={(entityId) => void metadata.choose(entityId)} />
        )}
        {source === 'hand' && (
          <Flex direction="column" gap="4" onChange={forget}>
            <MetadataByHand {...metadata} initial={typed()} isMissed={isMissed} />
            {problem && <AlertLine>{problem}</AlertLine>}
          </Flex>
        )}
      </TabList>
    </Box>
  );
}

/** Returns the file's bytes in base64. The server, not the browser, decodes them to text. */
function base64Of(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,/, ''));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });
}

interface EntityChoiceProps {
  entityIds: readonly string[];
  onChoose: (entityId: string) => void;
}

/** Selects one service provider from metadata that describes several. */
function EntityChoice({ entityIds, onChoose }: EntityChoiceProps) {
  return (
    <Box pt="4">
      <FormField label={t`Service provider`} help={t`Only the metadata for this provider is saved.`}>
        <Select value="" onChange={({ target }) => onChoose(target.value)}>
          <option value="" disabled>
            {t`Choose a provider`}
          </option>
          {entityIds.map((entityId) => (
            <option key={entityId} value={entityId}>
              {entityId}
            </option>
          ))}
        </Select>
      </FormField>
    </Box>
  );
}

type Reading = ReturnType<typeof useReadMetadata>;

interface MetadataByUrlProps extends Pick<Reading, 'read' | 'isReading' | 'problem' | 'type' | 'forget'> {
  initial: string;
  isMissed: boolean;
  /** Error message if the metadata is missing. */
  missing: string | undefined;
}

function MetadataByUrl({ initial, isMissed, missing, ...metadata }: MetadataByUrlProps) {
  const { read, isReading, problem, type, forget } = metadata;
  const [url, setUrl] = useState(initial);
  const isEmpty = url.trim() === '';
  const fetchIt = () => {
    if (!isEmpty) void read({ url });
  };
  useOnMissedSubmit(isMissed, fetchIt);
  return (
    <FormField label={t`Metadata URL`} error={problem ?? (isEmpty ? missing : undefined)}>
      <Flex gap="2">
        <Input
          value={url}
          onChange={(event) => {
            forget();
            setUrl(event.target.value);
            type({ url: event.target.value });
          }}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return;
            event.preventDefault();
            fetchIt();
          }}
          inputMode="url"
          placeholder={t`https://app.example.com/saml/metadata`}
          maxLength={2_000}
          autoComplete="off"
          spellCheck={false}
        />
        <Button variant="outline" disabled={isEmpty} loading={isReading} loadingText={t`Fetch`} onClick={fetchIt}>
          {t`Fetch`}
        </Button>
      </Flex>
    </FormField>
  );
}
