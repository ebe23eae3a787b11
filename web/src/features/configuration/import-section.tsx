import { Box, Button, chakra, Flex, Heading, Link, Text } from '@chakra-ui/react';
import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import {
  CONFIGURATION_BYTES,
  type ConfigurationDifference,
  checkConfiguration,
  importConfiguration,
  type StaleFields,
} from '@orchestrate/shared';
import { type ReactNode, useRef, useState } from 'react';
import { Link as RouterLink } from 'react-router-dom';
import { ChangesTable } from '#features/audit/shared/changes-table.tsx';
import { EventIcon } from '#features/audit/shared/event-icon.tsx';
import { objectName, objectTypeLabel } from '#features/audit/shared/event-words.ts';
import { MAIL_TITLES } from '#features/mails/shared/mail-titles.ts';
import { ApiRefusal } from '#lib/api/api-refusal.ts';
import type { CacheGroup } from '#lib/api/cache-groups.ts';
import { useWrite } from '#lib/api/use-write.ts';
import { resultText } from '#lib/notices/result-text.ts';
import { toastRefusal } from '#lib/notices/show-refusal.ts';
import { toast } from '#lib/notices/toaster.ts';
import { paths } from '#paths.ts';
import { AlertLine } from '#ui/feedback/alert-line.tsx';
import { StatusBadge } from '#ui/feedback/status-badge.tsx';
import { FileDrop } from '#ui/form/file-drop.tsx';
import { MistakeList } from '#ui/form/mistake-list.tsx';
import { Section } from '#ui/list/section.tsx';

const CHANGED: readonly CacheGroup[] = ['Org Settings', 'Roles', 'Applications', 'Mails'];

/** Checks a configuration file, shows the differences and imports it. */
function useImport() {
  const check = useWrite(checkConfiguration);
  const save = useWrite(importConfiguration, { invalidates: CHANGED });
  const [file, setFile] = useState<File>();
  const [difference, setDifference] = useState<ConfigurationDifference>();
  /** Message if someone else changed the configuration after the differences were displayed. */
  const [staleness, setStaleness] = useState<string>();
  const [hasImported, setHasImported] = useState(false);
  const text = useRef('');
  /** The most recently chosen file. Results for earlier files are discarded. */
  const chosen = useRef<File>(undefined);

  async function choose(next: File | undefined): Promise<void> {
    chosen.current = next;
    setFile(next);
    setDifference(undefined);
    setStaleness(undefined);
    setHasImported(false);
    check.reset();
    if (!next) return;
    try {
      const written = await next.text();
      if (chosen.current !== next) return;
      text.current = written;
      const found = await check.run({ body: { configuration: written } });
      if (chosen.current === next) setDifference(found);
    } catch (failure) {
      // The refusal is displayed next to the file.
      if (!(failure instanceof ApiRefusal)) throw failure;
    }
  }

  async function run(): Promise<void> {
    if (!difference) return;
    const imported = chosen.current;
    const isStill = () => chosen.current === imported;
    try {
      const { changes } = await save.run({ body: { configuration: text.current } }, { ifMatch: difference.version });
      toast.success(plural(changes.length, { one: '# change imported', other: '# changes imported' }));
      if (!isStill()) return;
      await choose(undefined);
      setHasImported(true);
    } catch (failure) {
      if (!(failure instanceof ApiRefusal)) throw failure;
      if (!isStill()) return toastRefusal(failure);
      if (failure.status === 412) {
        setDifference((failure.body as StaleFields<ConfigurationDifference>).current);
        setStaleness(
          t`Someone changed the configuration in the meantime, so nothing was imported. Review the changes again.`,
        );
      } else {
        toastRefusal(failure);
        // Check the file again to list its problems.
        if (failure.issues.length > 0) await choose(imported);
      }
    }
  }

  return {
    file,
    difference,
    staleness,
    /** True if the latest chosen file was imported. */
    hasImported,
    refusal: check.refusal,
    isChecking: check.isPending,
    isImporting: save.isPending,
    choose,
    run,
  };
}

type ConfigurationObject = ConfigurationDifference['kept'][number];

/** Returns a readable title for objects whose name is missing or technical. */
function titleOf({ type, id, name }: ConfigurationObject): string {
  if (type === 'mail-language') return objectTypeLabel(type);
  // Email texts in languages other than English have the language as a suffix, e.g. `invitation.de`.
  const [known, language] = id.split('.');
  const title = type === 'mail-text' && Object.entries(MAIL_TITLES).find(([mail]) => mail === known)?.[1];
  if (!title) return objectName({ type, name });
  return language === 'de' ? t`${title} in German` : title;
}

/** Lists what an import would change, skip and leave unchanged. */
function Difference({ difference: { changes, leftOut, kept: unchanged } }: { difference: ConfigurationDifference }) {
  return (
    <Flex direction="column" gap="6">
      {changes.length > 0 && (
        <chakra.ul aria-label={t`Planned changes`} listStyleType="none" display="flex" flexDirection="column" gap="5">
          {changes.map(({ action, object, changes: fields }) => (
            <chakra.li key={`${object.type} ${object.id}`} display="flex" flexDirection="column" gap="2.5">
              <Flex align="center" gap="2.5" wrap="wrap">
                <Box color="fg.muted">
                  <EventIcon type={object.type} />
                </Box>
                <Heading as="h3" size="xs">
                  {titleOf(object)}
                </Heading>
                {titleOf(object) !== objectTypeLabel(object.type) && (
                  <Text color="fg.muted">{objectTypeLabel(object.type)}</Text>
                )}
                {action.endsWith('.created') ? (
                  <StatusBadge status={t`New`} tone="success" />
                ) : (
                  <StatusBadge status={t`Changed`} tone="info" />
                )}
              </Flex>
              <ChangesTable label={t`Planned changes: ${titleOf(object)}`} type={object.type} changes={fields} />
            </chakra.li>
          ))}
        </chakra.ul>
      )}
      {leftOut.length > 0 && (
        <Part title={t`In the file, but not imported`}>
          <MistakeList label={t`In the file, but not imported`} mistakes={leftOut} />
        </Part>
      )}
      {unchanged.length > 0 && (
        <Part title={t`Unchanged (not in the file)`}>
          <chakra.ul listStyleType="none" display="flex" flexWrap="wrap" columnGap="5" rowGap="1" textStyle="sm">
            {unchanged.map((item) => (
              <li key={`${item.type} ${item.id}`}>
                {titleOf(item)}{' '}
                <Text as="span" color="fg.muted">
                  {objectTypeLabel(item.type)}
                </Text>
              </li>
            ))}
          </chakra.ul>
        </Part>
      )}
    </Flex>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Flex direction="column" gap="2.5">
      <Heading as="h3" size="xs">
        {title}
      </Heading>
      {children}
    </Flex>
  );
}

/** Selects a file, shows the differences and imports it. */
export function ImportSection() {
  const { file, difference, staleness, hasImported, refusal, isChecking, isImporting, choose, run } = useImport();
  const reason = refusal?.issues.find(({ path }) => path === 'configuration')?.message;
  return (
    <Section isBeside title={t`Import`} description={t`Review a file’s changes and apply them.`}>
      <Flex direction="column" gap="5">
        <Text color="fg.muted">
          {t`You can review the changes before they are saved. Settings that aren't in the file stay unchanged, and nothing is deleted.`}
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
      one: "This file has # error and can't be imported.",
      other: "This file has # errors and can't be imported.",
    });
  if (changes.length === 0) return t`Nothing would change. Your organisation already matches the file.`;
  return plural(changes.length, { one: '# item would change.', other: '# items would change.' });
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
