import { Button, Flex, Text } from '@chakra-ui/react';
import { CONFIGURATION_BYTES, type ConfigurationDifference } from '@orchestrate/shared';
import { counted } from '../../lib/format/counted.ts';
import { resultText } from '../../lib/notices/result-text.ts';
import { AlertLine } from '../../ui/alert-line.tsx';
import { FileDrop } from '../../ui/file-drop.tsx';
import { MistakeList } from '../../ui/mistake-list.tsx';
import { Section } from '../../ui/section.tsx';
import { Difference } from './difference.tsx';
import { useImport } from './use-import.ts';

/** A file, what it would change, and the button that changes it. */
export function ImportSection() {
  const { file, difference, staleness, refusal, isChecking, isImporting, choose, run } = useImport();
  return (
    <Section title="Import">
      <Flex direction="column" gap="5">
        <Text color="fg.muted">
          You see what would change before anything is saved. What the file does not mention stays as it is, and nothing
          is deleted.
        </Text>
        <FileDrop
          label="Configuration file"
          formats={['YAML', 'YML', 'JSON']}
          maxBytes={CONFIGURATION_BYTES}
          file={file}
          onFile={(next) => void choose(next)}
          error={refusal && resultText(refusal)}
        />
        <Text role="status" srOnly={!isChecking} color="fg.muted">
          {isChecking ? 'Comparing the file with your organisation…' : difference ? summaryOf(difference) : ''}
        </Text>
        {refusal && (
          <Button variant="outline" alignSelf="start" onClick={() => void choose(file)}>
            Try again
          </Button>
        )}
        {staleness && <AlertLine tone="warning">{staleness}</AlertLine>}
        {difference && (
          <>
            <Outcome difference={difference} />
            {difference.changes.length > 0 && difference.mistakes.length === 0 && (
              <Flex gap="2.5" wrap="wrap">
                <Button loading={isImporting} loadingText="Importing" onClick={() => void run()}>
                  {`Import ${counted(difference.changes.length, 'change')}`}
                </Button>
                <Button variant="outline" disabled={isImporting} onClick={() => void choose(undefined)}>
                  Cancel
                </Button>
              </Flex>
            )}
          </>
        )}
      </Flex>
    </Section>
  );
}

function summaryOf({ mistakes, changes }: ConfigurationDifference): string {
  if (mistakes.length > 0) return `This file has ${counted(mistakes.length, 'mistake')} and cannot be imported.`;
  if (changes.length === 0) return 'Nothing would change: your organisation is as the file says.';
  return `${counted(changes.length, 'thing')} would change.`;
}

function Outcome({ difference }: { difference: ConfigurationDifference }) {
  const { mistakes, changes } = difference;
  if (mistakes.length > 0) {
    return (
      <>
        <AlertLine>{summaryOf(difference)}</AlertLine>
        <MistakeList mistakes={mistakes} />
      </>
    );
  }
  return (
    <>
      {changes.length === 0 && <AlertLine tone="info">{summaryOf(difference)}</AlertLine>}
      <Difference difference={difference} />
    </>
  );
}
