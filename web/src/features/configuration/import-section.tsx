import { Button, Flex, Link, Text } from '@chakra-ui/react';
import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { CONFIGURATION_BYTES, type ConfigurationDifference } from '@orchestrate/shared';
import { Link as RouterLink } from 'react-router-dom';
import { resultText } from '../../lib/notices/result-text.ts';
import { paths } from '../../paths.ts';
import { AlertLine } from '../../ui/alert-line.tsx';
import { FileDrop } from '../../ui/file-drop.tsx';
import { MistakeList } from '../../ui/mistake-list.tsx';
import { Section } from '../../ui/section.tsx';
import { Difference } from './difference.tsx';
import { useImport } from './use-import.ts';

/** A file, what it would change, and the button that changes it. */
export function ImportSection() {
  const { file, difference, staleness, hasImported, refusal, isChecking, isImporting, choose, run } = useImport();
  const reason = refusal?.issues.find(({ path }) => path === 'configuration')?.message;
  return (
    <Section title={t`Import`}>
      <Flex direction="column" gap="5">
        <Text color="fg.muted">
          {t`You see what would change before anything is saved. What the file does not mention stays as it is, and nothing is deleted.`}
        </Text>
        <FileDrop
          label={t`Configuration file`}
          formats={['YAML', 'YML', 'JSON']}
          maxBytes={CONFIGURATION_BYTES}
          file={file}
          onFile={(next) => void choose(next)}
          error={refusal && (reason ?? resultText(refusal))}
        />
        <Text role="status" srOnly={!isChecking} color="fg.muted">
          {isChecking ? t`Comparing the file with your organisation…` : difference ? summaryOf(difference) : ''}
        </Text>
        {hasImported && (
          <Text>
            <Trans>
              Everything is saved.{' '}
              <Link asChild>
                <RouterLink to={paths.activity}>Activity</RouterLink>
              </Link>{' '}
              lists each change.
            </Trans>
          </Text>
        )}
        {refusal && !reason && (
          <Button variant="outline" alignSelf="start" onClick={() => void choose(file)}>
            {t`Retry`}
          </Button>
        )}
        {staleness && <AlertLine tone="warning">{staleness}</AlertLine>}
        {difference && (
          <>
            <Outcome difference={difference} />
            {difference.changes.length > 0 && difference.mistakes.length === 0 && (
              <Flex gap="2.5" wrap="wrap">
                <Button loading={isImporting} loadingText={t`Importing`} onClick={() => void run()}>
                  {plural(difference.changes.length, { one: 'Import # change', other: 'Import # changes' })}
                </Button>
                <Button variant="outline" disabled={isImporting} onClick={() => void choose(undefined)}>
                  {t`Cancel`}
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
  if (mistakes.length > 0)
    return plural(mistakes.length, {
      one: 'This file has # mistake and cannot be imported.',
      other: 'This file has # mistakes and cannot be imported.',
    });
  if (changes.length === 0) return t`Nothing would change: your organisation is as the file says.`;
  return plural(changes.length, { one: '# thing would change.', other: '# things would change.' });
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
