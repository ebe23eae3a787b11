import { Box, chakra, Flex, Skeleton, Table } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { type Application, LIMITS, type OrgLoginOptions } from '@orchestrate/shared';
import { CopyPlus } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import { overrideOf } from '#features/settings/shared/login-option-switches.tsx';
import { cookieLifeOf, OPTION_TEXTS, supportsOption } from '#features/settings/shared/login-options.ts';
import { formatDuration } from '#lib/format/numbers.ts';
import { paths } from '#paths.ts';
import { ActionButton } from '#ui/feedback/action-button.tsx';
import { Hint } from '#ui/feedback/hint.tsx';
import { TableFrame } from '#ui/list/table-frame.tsx';
import { AppLogo } from '#ui/text/app-logo.tsx';
import { BooleanIcon, TableIcon } from '#ui/text/table-icon.tsx';
import { DuplicateApp } from '../duplicate-app.tsx';

/** Login options displayed as columns of ticks (spec 2 §2). */
const TICKS = ['didEnabled', 'webAuthnEnabled', 'forceAuthnEnabled'] as const;

const NameLink = chakra(Link, {
  base: { fontWeight: 'medium', borderRadius: 'xs', outline: '0', focusVisibleRing: 'outside' },
});

function Frame({ maxH, children }: { maxH?: string; children: ReactNode }) {
  const ticks = TICKS.map((option) => ({ text: OPTION_TEXTS[option].label, textAlign: 'center' as const }));
  return (
    <TableFrame
      label={t`Applications`}
      headings={[t`Application`, t`Type`, t`Max cookie life`, ...ticks]}
      room={58}
      {...(maxH && { maxH })}
    >
      {children}
    </TableFrame>
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
  onDuplicate: (app: Application) => void;
}

function Row({ app, organisation, onDuplicate }: RowProps) {
  const navigate = useNavigate();
  const path = paths.application(app.appId);
  const has = (option: Parameters<typeof supportsOption>[1]) =>
    app.hasSignIn && supportsOption(app.integrationType, option);
  return (
    // The whole row can be clicked. Keyboard and screen reader users use the link in it.
    <Table.Row cursor="pointer" _hover={{ bg: 'bg.subtle' }} onClick={() => void navigate(path)}>
      <Table.Cell maxW="sm" truncate>
        <Flex align="center" gap="3" minW="0">
          <AppLogo name={app.name} logo={app.logo} size="sm" />
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
}

interface OptionTickProps {
  option: (typeof TICKS)[number];
  /** The application's setting, which the organisation may override. */
  isOn: boolean;
  organisation: OrgLoginOptions;
}

/**
 * Displays the effective option. If the organisation's setting overrides the application's, displays that setting
 * with the reason.
 */
function OptionTick({ option, isOn, organisation }: OptionTickProps) {
  const { label } = OPTION_TEXTS[option];
  const ruling = overrideOf(option, organisation);
  if (ruling) return <BooleanIcon isOn={ruling.isOn} meaning={`${label}: ${ruling.reason}`} isOverridden />;
  return <BooleanIcon isOn={isOn} meaning={isOn ? t`${label} enabled` : t`${label} disabled`} />;
}

/** Displayed instead of a login option that isn't available for this application. */
function NotAvailable({ app: { hasSignIn, integrationType } }: { app: Application }) {
  const type = integrationType.toUpperCase();
  return (
    <TableIcon
      meaning={hasSignIn ? t`Not available for ${type}` : t`No one signs in to a service client`}
      color="fg.muted"
    >
      –
    </TableIcon>
  );
}

interface ApplicationsTableProps {
  apps: readonly Application[];
  organisation: OrgLoginOptions;
}

/** Lists an organisation's applications in a table that is at most 550 px high and has a sticky header. */
export function ApplicationsTable({ apps, organisation }: ApplicationsTableProps) {
  const [duplicated, setDuplicated] = useState<Application>();
  return (
    <>
      <Frame maxH="550px">
        {apps.map((app) => (
          <Row key={app.appId} app={app} organisation={organisation} onDuplicate={setDuplicated} />
        ))}
      </Frame>
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
                <Skeleton boxSize="6" borderRadius="l1" />
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
