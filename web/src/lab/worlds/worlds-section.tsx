import { Box, Button, chakra, Flex, Input, Text } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import {
  dropSnapshot,
  listSnapshots,
  readWorldFile,
  readWorldSchema,
  resetLab,
  restoreSnapshot,
  SNAPSHOTS_MAX,
  type Snapshot,
  takeSnapshot,
} from '@orchestrate/shared';
import { Braces, Download } from 'lucide-react';
import { useState } from 'react';
import { useSWRConfig } from 'swr';
import { fetchFile, saveFile } from '#lib/api/files.ts';
import { useWrite } from '#lib/api/use-write.ts';
import { formatDateTimeSeconds } from '#lib/format/dates.ts';
import { formatFileSize } from '#lib/format/numbers.ts';
import { joinWithDots } from '#lib/format/text.ts';
import { resultText } from '#lib/notices/result-text.ts';
import { toast } from '#lib/notices/toaster.ts';
import { ConfirmDialog } from '#ui/dialog/confirm-dialog.tsx';
import { AlertLine } from '#ui/feedback/alert-line.tsx';
import { SoftDisabledButton } from '#ui/feedback/soft-disabled-button.tsx';
import { FormField } from '#ui/form/form-field.tsx';
import { Section } from '#ui/list/section.tsx';
import { PageHeader } from '#ui/text/page-header.tsx';
import { useLiveRead } from '../lab-updates.tsx';
import { ListCount } from '../line-list.tsx';
import { SeedField, SeedFile, useSeedChoice } from './seed-choice.tsx';

/** Card to take, restore and delete snapshots. */
function SnapshotsCard() {
  const { data, refetch } = useLiveRead(listSnapshots, {});
  const { mutate } = useSWRConfig();
  const [name, setName] = useState('');
  const [selected, setSelected] = useState<Snapshot>();
  const [isAsking, setIsAsking] = useState(false);
  const taking = useWrite(takeSnapshot);
  const restoring = useWrite(restoreSnapshot);
  const dropping = useWrite(dropSnapshot);
  const snapshots = data?.snapshots ?? [];
  const problem = taking.refusal ?? dropping.refusal;

  const take = async () => {
    try {
      await taking.run({ body: name.trim() ? { name: name.trim() } : {} });
      setName('');
    } catch {
      // The card displays the error in `refusal`.
    }
    await refetch();
  };
  const drop = async (snapshotId: string) => {
    await dropping.run({ params: { snapshotId } }).catch(() => undefined);
    await refetch();
  };
  const restore = async () => {
    if (!selected) return;
    try {
      await restoring.run({ params: { snapshotId: selected.snapshotId } });
    } catch {
      return;
    }
    setIsAsking(false);
    toast.success(t`Restored “${selected.name}”`);
    await mutate(() => true);
  };
  return (
    <Section title={t`Snapshots`} isFlush aside={<ListCount of={data && t`${snapshots.length} of ${SNAPSHOTS_MAX}`} />}>
      {snapshots.length > 0 && (
        <chakra.ul aria-label={t`Snapshots`} listStyleType="none">
          {snapshots.map((snapshot) => (
            <chakra.li
              key={snapshot.snapshotId}
              display="flex"
              flexWrap="wrap"
              alignItems="center"
              columnGap="3"
              rowGap="2"
              px="5"
              py="3"
              borderBottomWidth="1px"
            >
              <Box flex="1 1 10rem" minW="0">
                <Text fontWeight="medium" overflowWrap="anywhere">
                  {snapshot.name}
                </Text>
                <Text textStyle="sm" color="fg.muted">
                  {joinWithDots(formatDateTimeSeconds(snapshot.takenAt), formatFileSize(snapshot.bytes))}
                </Text>
              </Box>
              <Flex gap="2">
                <Button
                  variant="outline"
                  size="sm"
                  aria-label={t`Restore ${snapshot.name}`}
                  onClick={() => {
                    setSelected(snapshot);
                    setIsAsking(true);
                  }}
                >
                  {t`Restore`}
                </Button>
                <SoftDisabledButton
                  variant="ghost"
                  size="sm"
                  aria-label={t`Delete ${snapshot.name}`}
                  isDisabled={dropping.isPending}
                  onClick={() => void drop(snapshot.snapshotId)}
                >
                  {t`Delete`}
                </SoftDisabledButton>
              </Flex>
            </chakra.li>
          ))}
        </chakra.ul>
      )}
      <Flex direction="column" gap="4" p="5">
        {data?.snapshots.length === 0 && (
          <Text color="fg.muted">{t`Save the portal’s current state so you can return to it at any time.`}</Text>
        )}
        <chakra.form
          display="flex"
          gap="3"
          alignItems="flex-end"
          maxW="xl"
          onSubmit={(event) => {
            event.preventDefault();
            if (!taking.isPending) void take();
          }}
        >
          <FormField label={t`Snapshot name`}>
            <Input maxLength={60} autoComplete="off" value={name} onChange={({ target }) => setName(target.value)} />
          </FormField>
          <SoftDisabledButton type="submit" variant="outline" isDisabled={taking.isPending}>
            {t`Take snapshot`}
          </SoftDisabledButton>
        </chakra.form>
        {problem && <AlertLine>{resultText(problem)}</AlertLine>}
      </Flex>
      <ConfirmDialog
        isOpen={isAsking}
        onClose={() => {
          setIsAsking(false);
          restoring.reset();
        }}
        onConfirm={() => void restore()}
        title={t`Restore “${selected?.name ?? ''}”?`}
        verb={t`Restore`}
        isDestructive
        isPending={restoring.isPending}
        consequences={[t`All later changes will be lost.`, t`Clock, faults and policies will be restored too.`]}
        error={restoring.refusal && resultText(restoring.refusal)}
      />
    </Section>
  );
}

/** Card to download the portal as a world file or reset it to other data. */
function WorldCard() {
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
    toast.success(t`Portal reset`);
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
          <SoftDisabledButton variant="outline" isDisabled={!choice.isReady} onClick={() => setIsAsking(true)}>
            {t`Start over`}
          </SoftDisabledButton>
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
        consequences={[t`All data in this portal will be lost.`, t`All users will have to sign in again.`]}
      />
    </Section>
  );
}

/** The portal's world and its snapshots. */
export function WorldsSection() {
  return (
    <>
      <PageHeader title={t`Worlds`} description={t`Export, reset or restore this portal.`} />
      <WorldCard />
      <SnapshotsCard />
    </>
  );
}
