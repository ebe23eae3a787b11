import { Box, chakra, Flex, Skeleton, Table } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { type Application, LIMITS, type OrgLoginOptions } from '@orchestrate/shared';
import { CopyPlus } from 'lucide-react';
import { type ComponentProps, memo, useRef, useState } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import { overrideOf } from '#features/settings/shared/login-option-switches.tsx';
import { cookieLifeOf, OPTION_TEXTS, supportsOption } from '#features/settings/shared/login-options.ts';
import { ROW_KEY, useVirtualRows } from '#lib/browser/use-virtual-rows.ts';
import { formatDuration } from '#lib/format/numbers.ts';
import { paths } from '#paths.ts';
import { ActionButton } from '#ui/feedback/action-button.tsx';
import { Hint, HintArea } from '#ui/feedback/hint.tsx';
import { TableFrame } from '#ui/list/table-frame.tsx';
import { AppLogo } from '#ui/text/app-logo.tsx';
import { BooleanIcon, TableIcon } from '#ui/text/table-icon.tsx';
import { DuplicateApp } from '../duplicate-app.tsx';

/** Login options displayed as columns of ticks (spec 2 §2). */
const TICKS = ['didEnabled', 'webAuthnEnabled', 'forceAuthnEnabled'] as const;

const NameLink = chakra(Link, {
  base: { fontWeight: 'medium', borderRadius: 'xs', outline: '0', focusVisibleRing: 'outside' },
});

type FrameProps = Pick<ComponentProps<typeof TableFrame>, 'maxH' | 'rowCount' | 'rows' | 'space' | 'children'>;

function Frame({ rowCount, ...frame }: FrameProps) {
  const ticks = TICKS.map((option) => ({ text: OPTION_TEXTS[option].label, textAlign: 'center' as const }));
  return (
    <TableFrame
      label={t`Applications`}
      headings={[t`Application`, t`Type`, t`Max cookie life`, ...ticks]}
      room={58}
      // The heading is a row too.
      rowCount={rowCount && rowCount + 1}
      {...frame}
    />
  );
}

/** Displays how long a browser is actually remembered, with a hint if another setting determines the time. */
function CookieLife({ app, organisation }: Pick<RowProps, 'app' | 'organisation'>) {
  const { seconds, reason } = cookieLifeOf(app, organisation);
  const text = formatDuration(seconds);
  return reason === undefined ? (
    text
  ) : (
    <Hint text={reason}>
      <chakra.span tabIndex={0}>{text}</chakra.span>
    </Hint>
  );
}

interface RowProps {
  app: Application;
  organisation: OrgLoginOptions;
  /** Position in the whole list, from 0. */
  at: number;
  onDuplicate: (app: Application) => void;
}

const Row = memo(function Row({ app, organisation, at, onDuplicate }: RowProps) {
  const navigate = useNavigate();
  const path = paths.application(app.appId);
  const has = (option: Parameters<typeof supportsOption>[1]) =>
    app.hasSignIn && supportsOption(app.integrationType, option);
  return (
    // The whole row can be clicked. Keyboard and screen reader users use the link in it.
    <Table.Row
      {...{ [ROW_KEY]: app.appId }}
      aria-rowindex={at + 2}
      cursor="pointer"
      _hover={{ bg: 'bg.subtle' }}
      onClick={() => void navigate(path)}
    >
      <Table.Cell maxW="sm" truncate>
        <Flex align="center" gap="3" minW="0">
          <AppLogo name={app.name} logo={app.logo} size="md" />
          <Hint text={app.description || t`No description`}>
            <NameLink to={path} truncate onClick={(event) => event.stopPropagation()}>
              {app.name}
            </NameLink>
          </Hint>
        </Flex>
      </Table.Cell>
      <Table.Cell color="fg.muted">{app.integrationType.toUpperCase()}</Table.Cell>
      <Table.Cell color="fg.muted" whiteSpace="nowrap">
        {has('maxCookieLife') ? <CookieLife app={app} organisation={organisation} /> : <NotAvailable app={app} />}
      </Table.Cell>
      {TICKS.map((option) => (
        <Table.Cell key={option} textAlign="center">
          {has(option) ? (
            <OptionTick option={option} isOn={app[option]} organisation={organisation} />
          ) : (
            <NotAvailable app={app} />
          )}
        </Table.Cell>
      ))}
      <Table.Cell textAlign="end" onClick={(event) => event.stopPropagation()} cursor="auto">
        <ActionButton label={t`Duplicate ${app.name}`} onClick={() => onDuplicate(app)}>
          <CopyPlus />
        </ActionButton>
      </Table.Cell>
    </Table.Row>
  );
});

interface OptionTickProps {
  option: (typeof TICKS)[number];
  /** The application's setting, which the organisation may override. */
  isOn: boolean;
  organisation: OrgLoginOptions;
}

/**
 * Displays the effective option. If the organisation's setting overrides the application's, the hint has the reason.
 */
function OptionTick({ option, isOn, organisation }: OptionTickProps) {
  const { label } = OPTION_TEXTS[option];
  const ruling = overrideOf(option, organisation);
  if (ruling) return <BooleanIcon isOn={ruling.isOn} meaning={`${label}: ${ruling.reason}`} />;
  return <BooleanIcon isOn={isOn} meaning={isOn ? t`${label} enabled` : t`${label} disabled`} />;
}

/** Displayed instead of a login option that isn't available for this application. */
function NotAvailable({ app: { hasSignIn, integrationType } }: { app: Application }) {
  const type = integrationType.toUpperCase();
  return (
    <TableIcon
      meaning={hasSignIn ? t`Not available for ${type}` : t`No one signs in to a service client`}
      color="fg.subtle"
      textStyle="sm"
    >
      {t`n/a`}
    </TableIcon>
  );
}

interface ApplicationsTableProps {
  apps: readonly Application[];
  organisation: OrgLoginOptions;
}

/**
 * Lists an organisation's applications in a table that is at most 550 px high and has a sticky header. Renders only the
 * rows in view, so that hundreds of applications open and filter without a pause.
 */
export function ApplicationsTable({ apps, organisation }: ApplicationsTableProps) {
  const [duplicated, setDuplicated] = useState<Application>();
  const rows = useRef<HTMLElement>(null);
  const { from, to, ...space } = useVirtualRows(rows, apps.length);
  return (
    <>
      <HintArea>
        <Frame maxH="550px" rowCount={apps.length} rows={rows} space={space}>
          {apps.slice(from, to).map((app, at) => (
            <Row key={app.appId} app={app} organisation={organisation} at={from + at} onDuplicate={setDuplicated} />
          ))}
        </Frame>
      </HintArea>
      <DuplicateApp app={duplicated} onClose={() => setDuplicated(undefined)} />
    </>
  );
}

/** Displays six skeleton rows. */
export function ApplicationsSkeleton() {
  return (
    <Box aria-hidden>
      <Frame>
        {Array.from({ length: LIMITS.applicationSkeletonRows }, (_, row) => (
          <Table.Row key={row} data-skeleton="">
            <Table.Cell>
              <Flex h="8" align="center" gap="3">
                <Skeleton boxSize="8" borderRadius="l2" />
                <Skeleton h="3" w="32" />
              </Flex>
            </Table.Cell>
            {['12', '16'].map((width) => (
              <Table.Cell key={width}>
                <Skeleton h="3" w={width} />
              </Table.Cell>
            ))}
            {TICKS.map((option) => (
              <Table.Cell key={option}>
                <Skeleton boxSize="5" borderRadius="full" mx="auto" />
              </Table.Cell>
            ))}
            <Table.Cell>
              <Skeleton boxSize="5" borderRadius="l1" ms="auto" />
            </Table.Cell>
          </Table.Row>
        ))}
      </Frame>
    </Box>
  );
}
