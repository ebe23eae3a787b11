import { Box, Button, Flex, Input } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { LIMITS } from '@orchestrate/shared';
import { useState } from 'react';
import { AlertLine } from '../../../ui/alert-line.tsx';
import { FileDrop } from '../../../ui/file-drop.tsx';
import { FormField } from '../../../ui/form-field.tsx';
import { TabList } from '../../../ui/tab-list.tsx';
import { MetadataByHand } from './metadata-by-hand.tsx';
import { useReadMetadata, useWhenMissed } from './use-read-metadata.ts';

const SOURCES = [
  { value: 'file', label: t`XML file` },
  { value: 'url', label: 'URL' },
  { value: 'hand', label: t`By hand` },
] as const;
type Source = (typeof SOURCES)[number]['value'];

interface MetadataSourceProps {
  /** The error for missing metadata. */
  error: string | undefined;
  onRead: () => void;
}

/** The source of a service provider's metadata. The server reads them, and says what is wrong with them. */
export function MetadataSource({ error, onRead }: MetadataSourceProps) {
  const [source, setSource] = useState<Source>('file');
  const [file, setFile] = useState<File>();
  const { read, isReading, problem, forget } = useReadMetadata(onRead);

  const take = async (chosen: File | undefined) => {
    setFile(chosen);
    forget();
    if (chosen) await read({ metadata: await chosen.text() });
  };
  return (
    <Box maxW="2xl">
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
            error={problem ?? error}
          />
        )}
        {source === 'url' && (
          <MetadataByUrl read={read} isReading={isReading} onChange={forget} problem={problem} missing={error} />
        )}
        {source === 'hand' && (
          <Flex direction="column" gap="4" onChange={forget}>
            <MetadataByHand read={read} isReading={isReading} isMissed={error !== undefined} />
            {problem && <AlertLine>{problem}</AlertLine>}
          </Flex>
        )}
      </TabList>
    </Box>
  );
}

interface MetadataByUrlProps extends Pick<ReturnType<typeof useReadMetadata>, 'read' | 'isReading' | 'problem'> {
  onChange: () => void;
  /** The error for missing metadata. */
  missing: string | undefined;
}

function MetadataByUrl({ read, isReading, onChange, problem, missing }: MetadataByUrlProps) {
  const [url, setUrl] = useState('');
  const isEmpty = url.trim() === '';
  const fetchIt = () => {
    if (!isEmpty) void read({ url });
  };
  useWhenMissed(missing !== undefined, fetchIt);
  return (
    <FormField label={t`Metadata URL`} error={problem ?? (isEmpty ? missing : undefined)}>
      <Flex gap="2">
        <Input
          value={url}
          onChange={(event) => {
            onChange();
            setUrl(event.target.value);
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
