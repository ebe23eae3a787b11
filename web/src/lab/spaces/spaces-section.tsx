import { Box, Button, chakra, Flex, Grid, Input, Link, Text } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { endSpace, listSnapshots, listSpaces, makeSpace, SPACE_IDLE_MINUTES, type Space } from '@orchestrate/shared';
import { ExternalLink, LayoutGrid } from 'lucide-react';
import { useState } from 'react';
import { useWrite } from '#lib/api/use-write.ts';
import { formatDateTime } from '#lib/format/dates.ts';
import { resultText } from '#lib/notices/result-text.ts';
import { AlertLine } from '#ui/feedback/alert-line.tsx';
import { SoftDisabledButton } from '#ui/feedback/soft-disabled-button.tsx';
import { FormField } from '#ui/form/form-field.tsx';
import { Section } from '#ui/list/section.tsx';
import { PageHeader } from '#ui/text/page-header.tsx';
import { isoFromField } from '../../lib/format/dates.ts';
import { useLiveRead } from '../lab-updates.tsx';
import { EmptyList, ListCount } from '../line-list.tsx';
import { SeedField, SeedFile, useSeedChoice } from '../worlds/seed-choice.tsx';

export function SpacesSection() {
  const { data, refusal, refetch } = useLiveRead(listSpaces, {});
  const spaces = data?.spaces ?? [];
  return (
    <>
      <PageHeader
        title={t`Spaces`}
        description={t`Complete portals alongside this one, each with its own data, clock, messages and cookies.`}
      />
      {refusal ? (
        <AlertLine tone="info">{resultText(refusal)}</AlertLine>
      ) : (
        <>
          <Section title={t`New space`}>
            <NewSpace onMade={() => void refetch()} />
          </Section>
          <Section title={t`Running`} isFlush aside={<ListCount of={data?.spaces.length} />}>
            {spaces.length > 0 ? (
              <chakra.ul aria-label={t`Spaces`} listStyleType="none">
                {spaces.map((space) => (
                  <chakra.li
                    key={space.spaceId}
                    px="5"
                    py="3"
                    borderBottomWidth="1px"
                    _last={{ borderBottomWidth: '0' }}
                  >
                    <SpaceLine space={space} onEnded={() => void refetch()} />
                  </chakra.li>
                ))}
              </chakra.ul>
            ) : (
              <EmptyList
                isRead={data !== undefined}
                icon={LayoutGrid}
                title={t`No spaces running`}
                description={t`A space ends automatically after ${SPACE_IDLE_MINUTES} minutes without a request.`}
              />
            )}
          </Section>
        </>
      )}
    </>
  );
}

function SpaceLine({ space, onEnded }: { space: Space; onEnded: () => void }) {
  const { spaceId, name, url, startedAt } = space;
  const { run, isPending, refusal } = useWrite(endSpace);
  const end = async () => {
    await run({ params: { spaceId } }).catch(() => undefined);
    onEnded();
  };
  return (
    <Flex direction="column" gap="2">
      <Flex gap="3" align="center">
        <Box flex="1" minW="0">
          <Text fontWeight="medium" overflowWrap="anywhere">
            {name}
          </Text>
          <Text textStyle="sm" color="fg.muted" overflowWrap="anywhere">
            <Link href={url} target="_blank" rel="noreferrer">
              {url} <ExternalLink size={14} aria-label={t`in a new tab`} />
            </Link>
          </Text>
          <Text textStyle="sm" color="fg.muted">{t`started ${formatDateTime(startedAt)}`}</Text>
        </Box>
        <Flex gap="2" flexShrink="0">
          <Button asChild variant="outline" size="sm">
            <a href={`${url}/lab`} target="_blank" rel="noreferrer" aria-label={t`Lab of ${name}`}>
              {t`Lab`}
            </a>
          </Button>
          <SoftDisabledButton
            variant="outline"
            size="sm"
            aria-label={t`End ${name}`}
            isDisabled={isPending}
            onClick={() => void end()}
          >
            {t`End`}
          </SoftDisabledButton>
        </Flex>
      </Flex>
      {refusal && <AlertLine>{resultText(refusal)}</AlertLine>}
    </Flex>
  );
}

function NewSpace({ onMade }: { onMade: () => void }) {
  const [name, setName] = useState('');
  const [moment, setMoment] = useState('');
  const choice = useSeedChoice();
  const { data } = useLiveRead(listSnapshots, {});
  const snapshots = data?.snapshots ?? [];
  const { run, isPending, refusal } = useWrite(makeSpace);
  const wrongTime = refusal?.issues.find(({ path }) => path === 'now')?.message;
  const isDisabled = isPending || !choice.isReady;
  const make = async () => {
    const named = {
      ...(name.trim() && { name: name.trim() }),
      ...(moment && { now: isoFromField(moment) }),
    };
    const from = snapshots.find(({ snapshotId }) => snapshotId === choice.chosen)?.snapshotId;
    try {
      if (from) await run({ body: { from, ...named } });
      else if (!(await choice.begin((seed) => run({ body: { seed, ...named } })))) return;
      setName('');
      setMoment('');
    } catch {
      // The form displays the error in `refusal`.
    }
    onMade();
  };
  return (
    <chakra.form
      display="flex"
      flexDirection="column"
      gap="4"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isDisabled) void make();
      }}
    >
      <Grid
        gap="4"
        alignItems="start"
        templateColumns={{ base: '1fr', xs: 'repeat(2, minmax(0, 1fr))', sm: 'repeat(3, minmax(0, 1fr))' }}
      >
        <FormField label={t`Space name`}>
          <Input maxLength={60} autoComplete="off" value={name} onChange={({ target }) => setName(target.value)} />
        </FormField>
        <SeedField label={t`Start with`} choice={choice}>
          {snapshots.map(({ snapshotId, name: taken }) => (
            <option key={snapshotId} value={snapshotId}>{t`Snapshot “${taken}”`}</option>
          ))}
        </SeedField>
        <FormField label={t`Freeze clock at (optional)`} help={t`If left empty, the clock runs`} error={wrongTime}>
          <Input type="datetime-local" step={1} value={moment} onChange={({ target }) => setMoment(target.value)} />
        </FormField>
      </Grid>
      <SeedFile label={t`World file for the space`} choice={choice} />
      {refusal && !wrongTime && <AlertLine>{resultText(refusal)}</AlertLine>}
      <SoftDisabledButton type="submit" alignSelf="flex-start" isDisabled={isDisabled}>
        {isPending ? t`Starting…` : t`Start`}
      </SoftDisabledButton>
    </chakra.form>
  );
}
