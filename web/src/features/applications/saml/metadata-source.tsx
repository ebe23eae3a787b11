import { Box, Button, Flex, Input } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { LIMITS } from '@orchestrate/shared';
import { useState } from 'react';
import { AlertLine } from '../../../ui/alert-line.tsx';
import { FileDrop } from '../../../ui/file-drop.tsx';
import { FormField } from '../../../ui/form-field.tsx';
import { TabList } from '../../../ui/tab-list.tsx';
import { MetadataByHand } from './metadata-by-hand.tsx';
import { useReadMetadata } from './use-read-metadata.ts';

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
  const { read, isReading, problem, forgetProblem } = useReadMetadata(onRead);

  const take = async (chosen: File | undefined) => {
    setFile(chosen);
    forgetProblem();
    if (chosen) await read({ metadata: await chosen.text() });
  };
  return (
    <Box maxW="2xl">
      <TabList
        label={t`Metadata source`}
        tabs={SOURCES}
        value={source}
        onChange={(next) => {
          forgetProblem();
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
        {source === 'url' && <MetadataByUrl read={read} isReading={isReading} problem={problem ?? error} />}
        {source === 'hand' && (
          <Flex direction="column" gap="4">
            <MetadataByHand read={read} isReading={isReading} />
            {problem && <AlertLine>{problem}</AlertLine>}
          </Flex>
        )}
      </TabList>
    </Box>
  );
}

type MetadataByUrlProps = Pick<ReturnType<typeof useReadMetadata>, 'read' | 'isReading' | 'problem'>;

function MetadataByUrl({ read, isReading, problem }: MetadataByUrlProps) {
  const [url, setUrl] = useState('');
  const fetchIt = () => void read({ url });
  return (
    <FormField label={t`Metadata URL`} error={problem}>
      <Flex gap="2">
        <Input
          value={url}
          onChange={(event) => setUrl(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return;
            event.preventDefault();
            if (url.trim() !== '') fetchIt();
          }}
          inputMode="url"
          placeholder={t`https://app.example.com/saml/metadata`}
          maxLength={2_000}
          autoComplete="off"
          spellCheck={false}
        />
        <Button
          variant="outline"
          disabled={url.trim() === ''}
          loading={isReading}
          loadingText={t`Fetch`}
          onClick={fetchIt}
        >
          {t`Fetch`}
        </Button>
      </Flex>
    </FormField>
  );
}
