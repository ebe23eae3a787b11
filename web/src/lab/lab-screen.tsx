import { Box, Button, Flex, Grid, Heading, Text } from '@chakra-ui/react';
import { FlaskConical, Moon, Smartphone, Sun } from 'lucide-react';
import { useLocation } from 'react-router-dom';
import { useColourMode } from '../lib/browser/colour-mode.ts';
import { paths } from '../paths.ts';
import { ActionButton } from '../ui/action-button.tsx';
import { ClockPanel } from './clock-panel.tsx';
import { FaultsPanel } from './faults/faults-panel.tsx';
import { FaultsSection } from './faults/faults-section.tsx';
import { JournalSection } from './journal-section.tsx';
import { labPaths } from './lab-paths.ts';
import { LabSections } from './lab-sections.tsx';
import { OutboxSection } from './outbox/outbox-section.tsx';
import { PeopleSection } from './people/people-section.tsx';
import { RequestsSection } from './people/requests-section.tsx';
import { ResetPanel } from './reset-panel.tsx';
import { TokensSection } from './tokens/tokens-section.tsx';
import { WorldsSection } from './worlds/worlds-section.tsx';

const SECTIONS: Readonly<Record<string, () => React.ReactNode>> = {
  [labPaths.requests]: RequestsSection,
  [labPaths.people]: PeopleSection,
  [labPaths.worlds]: WorldsSection,
  [labPaths.journal]: JournalSection,
  [labPaths.faults]: FaultsSection,
  [labPaths.tokens]: TokensSection,
};

/** A section of the lab beside the mock controls. */
export function LabScreen() {
  const { pathname } = useLocation();
  const Shown = SECTIONS[pathname] ?? OutboxSection;
  return (
    <Flex direction="column" flex="1">
      <title>Lab · Orchestrate</title>
      <LabHeader />
      <LabSections />
      <Grid
        as="main"
        flex="1"
        alignItems="start"
        gap="5"
        p={{ base: '4', sm: '6' }}
        templateColumns={{ base: 'minmax(0, 1fr)', sm: '20rem minmax(0, 1fr)', md: '22rem minmax(0, 1fr) 20rem' }}
      >
        <Shown />
        <Grid gap="5" gridColumn={{ sm: '1 / -1', md: 'auto' }} templateColumns={{ sm: '1fr 1fr 1fr', md: '1fr' }}>
          <ClockPanel />
          {Shown !== FaultsSection && <FaultsPanel />}
          <ResetPanel />
        </Grid>
      </Grid>
    </Flex>
  );
}

function LabHeader() {
  const { mode, toggle } = useColourMode();
  return (
    <Flex
      as="header"
      align="center"
      gap="3"
      minH="header"
      px={{ base: '4', sm: '6' }}
      bg="bg.panel"
      borderBottomWidth="1px"
    >
      <Box color="fg.muted">
        <FlaskConical size={20} aria-hidden />
      </Box>
      <Box flex="1" minW="0">
        <Heading as="h1" size="md">
          Lab
        </Heading>
        <Text textStyle="xs" color="fg.muted" truncate hideBelow="xs">
          What the portal sends, and what stands in for the world outside
        </Text>
      </Box>
      <Button asChild variant="ghost" size="sm">
        <a href={paths.authenticator} target="_blank" rel="noreferrer">
          <Smartphone aria-hidden />
          Authenticator
        </a>
      </Button>
      <ActionButton label={mode === 'dark' ? 'Light mode' : 'Dark mode'} size="md" onClick={toggle}>
        {mode === 'dark' ? <Sun /> : <Moon />}
      </ActionButton>
    </Flex>
  );
}
