import { Button, chakra, Flex, Text } from '@chakra-ui/react';
import { readWorldFile, resetLab, WORLD_BYTES, type World } from '@orchestrate/shared';
import { Download } from 'lucide-react';
import { useState } from 'react';
import { useSWRConfig } from 'swr';
import { ApiRefusal } from '../../lib/api/api-refusal.ts';
import { fetchLabFile } from '../../lib/api/fetch-lab-file.ts';
import { useWrite } from '../../lib/api/use-endpoint.ts';
import { saveFile } from '../../lib/browser/save-file.ts';
import { resultText } from '../../lib/notices/result-text.ts';
import { toast } from '../../lib/notices/toaster.ts';
import { AlertLine } from '../../ui/alert-line.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { FileDrop } from '../../ui/file-drop.tsx';
import { FormField } from '../../ui/form-field.tsx';
import { Section } from '../../ui/section.tsx';
import { Select } from '../../ui/select.tsx';
import type { WorldMistake } from './read-world-text.ts';

const BEGINNINGS = { demo: 'The demo', none: 'Nothing', file: 'A world of your own' } as const;
type Beginning = keyof typeof BEGINNINGS;
const isBeginning = (value: string): value is Beginning => value in BEGINNINGS;

/** The portal as a file, and another beginning for it. */
export function WorldCard() {
  const { mutate } = useSWRConfig();
  const [beginning, setBeginning] = useState<Beginning>('demo');
  const [file, setFile] = useState<File>();
  const [isAsking, setIsAsking] = useState(false);
  const [mistakes, setMistakes] = useState<WorldMistake[]>([]);
  const [error, setError] = useState<string>();
  const { run, isPending } = useWrite(resetLab);

  const download = async () => {
    setError(undefined);
    try {
      saveFile('world.yaml', 'application/yaml', await fetchLabFile(readWorldFile, {}));
    } catch (failure) {
      setError(resultText(failure));
    }
  };
  const forget = () => {
    setMistakes([]);
    setError(undefined);
  };
  const reset = async () => {
    forget();
    try {
      if (beginning !== 'file') await run({ body: { seed: beginning } });
      else if (file) {
        const { readWorldText } = await import('./read-world-text.ts');
        const read = readWorldText(await file.text());
        setMistakes(read.mistakes);
        if (read.mistakes.length > 0) return setIsAsking(false);
        try {
          // The portal says what is wrong with it.
          await run({ body: { seed: read.world as World } });
        } catch (failure) {
          if (failure instanceof ApiRefusal) setMistakes(read.locate(failure.issues));
          throw failure;
        }
      }
    } catch (failure) {
      setError(resultText(failure));
      return setIsAsking(false);
    }
    setIsAsking(false);
    setFile(undefined);
    toast.success('The portal begins again.');
    await mutate(() => true);
  };
  return (
    <Section
      title="World"
      aside={
        <Button variant="outline" size="sm" onClick={() => void download()}>
          <Download />
          Download as YAML
        </Button>
      }
    >
      <Flex direction="column" gap="4" align="stretch">
        <FormField label="Begin again with">
          <Select
            value={beginning}
            onChange={({ target }) => {
              forget();
              if (isBeginning(target.value)) setBeginning(target.value);
            }}
          >
            {Object.entries(BEGINNINGS).map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </Select>
        </FormField>
        {beginning === 'file' && (
          <FileDrop
            label="World file"
            formats={['YAML', 'YML', 'JSON']}
            maxBytes={WORLD_BYTES}
            file={file}
            onFile={(chosen) => {
              forget();
              setFile(chosen);
            }}
          />
        )}
        {error && <AlertLine>{error}</AlertLine>}
        {mistakes.length > 0 && <Mistakes mistakes={mistakes} />}
        <Flex>
          <Button variant="outline" disabled={beginning === 'file' && !file} onClick={() => setIsAsking(true)}>
            Begin again
          </Button>
        </Flex>
      </Flex>
      <ConfirmDialog
        isOpen={isAsking}
        onClose={() => setIsAsking(false)}
        onConfirm={() => void reset()}
        title={`Begin again with ${beginning === 'file' ? (file?.name ?? '') : BEGINNINGS[beginning].toLowerCase()}?`}
        verb="Begin again"
        isDestructive
        isPending={isPending}
        consequences={['Everything in this portal is lost.', 'Everyone who is signed in has to sign in again.']}
      />
    </Section>
  );
}

function Mistakes({ mistakes }: { mistakes: readonly WorldMistake[] }) {
  return (
    <chakra.ul
      aria-label="Mistakes"
      listStyleType="none"
      display="flex"
      flexDirection="column"
      gap="2"
      maxH="20rem"
      overflowY="auto"
      tabIndex={0}
    >
      {mistakes.map(({ line, path, message }, at) => (
        <chakra.li key={at} display="grid" gridTemplateColumns="4.5rem minmax(0, 1fr)" columnGap="3">
          <Text color="fg.muted" textStyle="sm">
            Line {line}
          </Text>
          <Text textStyle="sm" overflowWrap="anywhere">
            {path && <chakra.code>{path}: </chakra.code>}
            {message}
          </Text>
        </chakra.li>
      ))}
    </chakra.ul>
  );
}
