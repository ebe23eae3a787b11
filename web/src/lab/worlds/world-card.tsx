import { Box, Button, Flex } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { readWorldFile, readWorldSchema, resetLab } from '@orchestrate/shared';
import { Braces, Download } from 'lucide-react';
import { useState } from 'react';
import { useSWRConfig } from 'swr';
import { fetchFile } from '../../lib/api/fetch-file.ts';
import { useWrite } from '../../lib/api/use-write.ts';
import { saveFile } from '../../lib/browser/save-file.ts';
import { resultText } from '../../lib/notices/result-text.ts';
import { toast } from '../../lib/notices/toaster.ts';
import { AlertLine } from '../../ui/alert-line.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Section } from '../../ui/section.tsx';
import { SteadyButton } from '../../ui/steady-button.tsx';
import { SeedField, SeedFile, useSeedChoice } from './seed-choice.tsx';

/** The portal as a file, and another beginning for it. */
export function WorldCard() {
  const { mutate } = useSWRConfig();
  const choice = useSeedChoice();
  const [isAsking, setIsAsking] = useState(false);
  const [error, setError] = useState<string>();
  const { run, isPending } = useWrite(resetLab);

  const download = async () => {
    setError(undefined);
    try {
      saveFile('world.yaml', 'application/yaml', await fetchFile(readWorldFile, {}));
    } catch (failure) {
      setError(resultText(failure));
    }
  };
  const downloadSchema = async () => {
    setError(undefined);
    try {
      saveFile('world.schema.json', 'application/schema+json', await fetchFile(readWorldSchema, {}));
    } catch (failure) {
      setError(resultText(failure));
    }
  };
  const reset = async () => {
    setError(undefined);
    try {
      if (!(await choice.begin((seed) => run({ body: { seed } })))) return setIsAsking(false);
    } catch (failure) {
      setError(resultText(failure));
      return setIsAsking(false);
    }
    setIsAsking(false);
    toast.success(t`The portal starts over.`);
    await mutate(() => true);
  };
  return (
    <Section title={t`World`}>
      <Flex direction="column" gap="4" align="stretch">
        <Flex gap="2" wrap="wrap">
          <Button variant="outline" size="sm" onClick={() => void download()}>
            <Download aria-hidden />
            {t`Download as YAML`}
          </Button>
          <Button variant="outline" size="sm" onClick={() => void downloadSchema()}>
            <Braces aria-hidden />
            {t`Schema for editors`}
          </Button>
        </Flex>
        <Box maxW="sm">
          <SeedField label={t`Start over with`} choice={choice} />
        </Box>
        <SeedFile label={t`World file`} choice={choice} />
        {error && <AlertLine>{error}</AlertLine>}
        <Flex>
          <SteadyButton variant="outline" isOff={!choice.isReady} onClick={() => setIsAsking(true)}>
            {t`Start over`}
          </SteadyButton>
        </Flex>
      </Flex>
      <ConfirmDialog
        isOpen={isAsking}
        onClose={() => setIsAsking(false)}
        onConfirm={() => void reset()}
        title={t`Start over with ${choice.label}?`}
        verb={t`Start over`}
        isDestructive
        isPending={isPending}
        consequences={[t`Everything in this portal is lost.`, t`Everyone who is signed in has to sign in again.`]}
      />
    </Section>
  );
}
