import { Box, Button, Flex, Text } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { BookOpenText, Compass, FlaskConical, Moon, Sun } from 'lucide-react';
import { Link, useLocation } from 'react-router-dom';
import { useColourMode } from '../lib/browser/colour-mode.ts';
import { paths } from '../paths.ts';
import { ActionButton } from '../ui/action-button.tsx';
import { MessagePage } from '../ui/message-page.tsx';
import { AreaView } from './area-view.tsx';
import { ChannelView } from './channel-view.tsx';
import type { AsyncApi, OpenApi } from './documents.ts';
import { OperationView } from './operation-view.tsx';
import { areasOf, slugOf } from './operations.ts';
import { Overview } from './overview.tsx';
import { ReferenceMenu } from './reference-menu.tsx';
import { referencePaths } from './reference-paths.ts';

interface ReferenceScreenProps {
  api: OpenApi;
  live: AsyncApi;
}

/** The menu beside what it leads to. */
export function ReferenceScreen({ api, live }: ReferenceScreenProps) {
  const { pathname } = useLocation();
  const areas = areasOf(api);
  return (
    <Flex direction="column" flex="1" minH="0">
      <ReferenceHeader />
      <Flex direction={{ base: 'column', sm: 'row' }} flex="1" align="stretch">
        <ReferenceMenu areas={areas} live={live} />
        <Main key={pathname}>
          <Shown api={api} live={live} areas={areas} pathname={pathname} />
        </Main>
      </Flex>
    </Flex>
  );
}

function Main({ children }: { children: React.ReactNode }) {
  return (
    <Box as="main" flex="1" minW="0" p={{ base: '4', sm: '8' }}>
      {children}
    </Box>
  );
}

const OPERATION = /^\/docs\/(\w+)$/;
const AREA = /^\/docs\/areas\/([\w-]+)$/;
const CHANNEL = /^\/docs\/sockets\/([\w-]+)$/;

type ShownProps = ReferenceScreenProps & { areas: ReturnType<typeof areasOf>; pathname: string };

function Shown({ api, live, areas, pathname }: ShownProps) {
  const path = pathname.replace(/\/$/, '');
  const { schemas } = api.components;
  if (path === referencePaths.home)
    return <Titled title={t`API reference`} of={<Overview api={api} live={live} areas={areas} />} />;
  const area = areas.find(({ name }) => slugOf(name) === AREA.exec(path)?.[1]);
  if (area) return <Titled title={area.name} of={<AreaView area={area} />} />;
  const id = OPERATION.exec(path)?.[1];
  const operation = areas.flatMap(({ operations }) => operations).find((one) => one.id === id);
  if (operation)
    return <Titled title={operation.path} of={<OperationView operation={operation} schemas={schemas} />} />;
  const name = CHANNEL.exec(path)?.[1] ?? '';
  const channel = live.channels[name];
  if (channel)
    return (
      <Titled
        title={channel.address}
        of={<ChannelView name={name} channel={channel} schemas={live.components.schemas} />}
      />
    );
  return (
    <MessagePage
      as="div"
      icon={Compass}
      title={t`Page not found`}
      action={
        <Button asChild variant="outline">
          <Link to={referencePaths.home}>{t`API reference`}</Link>
        </Button>
      }
    >
      {t`The reference has no endpoint or socket with this name.`}
    </MessagePage>
  );
}

const Titled = ({ title, of }: { title: string; of: React.ReactNode }) => (
  <>
    <title>{t`${title} · Orchestrate`}</title>
    {of}
  </>
);

function ReferenceHeader() {
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
        <BookOpenText size={20} aria-hidden />
      </Box>
      <Text flex="1" fontWeight="semibold">
        {t`Orchestrate API`}
      </Text>
      <Button asChild variant="ghost" size="sm">
        <a href={paths.lab} target="_blank" rel="noreferrer">
          <FlaskConical aria-hidden />
          {t`Lab`}
        </a>
      </Button>
      <ActionButton label={mode === 'dark' ? t`Light mode` : t`Dark mode`} size="md" onClick={toggle}>
        {mode === 'dark' ? <Sun /> : <Moon />}
      </ActionButton>
    </Flex>
  );
}
