import { Box, Button, chakra, Flex, Grid, Input, Link, Text } from '@chakra-ui/react';
import { endSpace, listSnapshots, listSpaces, makeSpace, SPACE_IDLE_MINUTES, type Space } from '@orchestrate/shared';
import { ExternalLink } from 'lucide-react';
import { useState } from 'react';
import { useWrite } from '../../lib/api/use-endpoint.ts';
import { formatDateTime } from '../../lib/format/dates.ts';
import { resultText } from '../../lib/notices/result-text.ts';
import { AlertLine } from '../../ui/alert-line.tsx';
import { FormField } from '../../ui/form-field.tsx';
import { Section } from '../../ui/section.tsx';
import { useFollowed } from '../lab-news.tsx';
import { SeedField, SeedFile, useSeedChoice } from './seed-choice.tsx';

/** Whole portals beside this one. */
export function SpacesCard() {
  const { data, refusal, refetch } = useFollowed(listSpaces, {});
  const spaces = data?.spaces ?? [];
  if (refusal)
    return (
      <Section title="Spaces">
        <AlertLine tone="info">{resultText(refusal)}</AlertLine>
      </Section>
    );
  return (
    <Section
      title="Spaces"
      aside={
        <Text textStyle="sm" color="fg.muted">
          {spaces.length}
        </Text>
      }
    >
      <Flex direction="column" gap="5">
        {spaces.length > 0 ? (
          <chakra.ul aria-label="Spaces" listStyleType="none" display="flex" flexDirection="column" gap="4">
            {spaces.map((space) => (
              <li key={space.spaceId}>
                <SpaceLine space={space} onEnded={() => void refetch()} />
              </li>
            ))}
          </chakra.ul>
        ) : (
          <Text color="fg.muted">
            A space is a whole portal beside this one: its own data, clock, messages and cookies. It ends by itself
            after {SPACE_IDLE_MINUTES} minutes without a request.
          </Text>
        )}
        <NewSpace onMade={() => void refetch()} />
      </Flex>
    </Section>
  );
}

function SpaceLine({ space, onEnded }: { space: Space; onEnded: () => void }) {
  const { spaceId, name, url, lastUsedAt } = space;
  const { run, isPending, refusal } = useWrite(endSpace);
  const end = async () => {
    await run({ params: { spaceId } }).catch(() => undefined);
    onEnded();
  };
  return (
    <Flex direction="column" gap="2">
      <Flex wrap="wrap" align="center" gap="3">
        <Box flex="1 1 10rem" minW="0">
          <Text fontWeight="medium" overflowWrap="anywhere">
            {name}
          </Text>
          <Link href={url} target="_blank" rel="noreferrer" textStyle="sm" overflowWrap="anywhere">
            {url} <ExternalLink size={14} aria-label="in a new tab" />
          </Link>
          <Text textStyle="sm" color="fg.muted">
            Last used {formatDateTime(lastUsedAt)}
          </Text>
        </Box>
        <Button variant="outline" size="sm" aria-label={`End ${name}`} disabled={isPending} onClick={() => void end()}>
          End
        </Button>
      </Flex>
      {refusal && <AlertLine>{resultText(refusal)}</AlertLine>}
    </Flex>
  );
}

function NewSpace({ onMade }: { onMade: () => void }) {
  const [name, setName] = useState('');
  const choice = useSeedChoice();
  const { data } = useFollowed(listSnapshots, {});
  const snapshots = data?.snapshots ?? [];
  const { run, isPending, refusal } = useWrite(makeSpace);
  const make = async () => {
    const named = name.trim() ? { name: name.trim() } : {};
    const from = snapshots.find(({ snapshotId }) => snapshotId === choice.chosen)?.snapshotId;
    try {
      if (from) await run({ body: { from, ...named } });
      else if (!(await choice.begin((seed) => run({ body: { seed, ...named } })))) return;
      setName('');
    } catch {
      // `refusal` shows it.
    }
    onMade();
  };
  return (
    <chakra.form
      display="flex"
      flexDirection="column"
      gap="3"
      onSubmit={(event) => {
        event.preventDefault();
        void make();
      }}
    >
      <Grid gap="3" alignItems="end" templateColumns={{ base: '1fr', sm: '1fr 14rem auto' }}>
        <FormField label="Name of the space">
          <Input maxLength={60} autoComplete="off" value={name} onChange={({ target }) => setName(target.value)} />
        </FormField>
        <SeedField label="Begins with" choice={choice}>
          {snapshots.map(({ snapshotId, name: taken }) => (
            <option key={snapshotId} value={snapshotId}>
              Snapshot “{taken}”
            </option>
          ))}
        </SeedField>
        <Button type="submit" variant="outline" disabled={!choice.isReady} loading={isPending} loadingText="Start">
          Start
        </Button>
      </Grid>
      <SeedFile label="World file of the space" choice={choice} />
      {refusal && <AlertLine>{resultText(refusal)}</AlertLine>}
    </chakra.form>
  );
}
