import { Box, chakra, Flex, Skeleton, Table } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { type Application, LIMITS, type OrgLoginOptions } from '@orchestrate/shared';
import { CopyPlus } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import { rulingOf } from '#features/settings/shared/login-option-switches.tsx';
import { canHave, cookieLifeOf, optionText } from '#features/settings/shared/login-options.ts';
import { formatDuration } from '#lib/format/numbers.ts';
import { paths } from '#paths.ts';
import { ActionButton } from '#ui/feedback/action-button.tsx';
import { Hint } from '#ui/feedback/hint.tsx';
import { TableFrame } from '#ui/list/table-frame.tsx';
import { AppLogo } from '#ui/text/app-logo.tsx';
import { BooleanIcon, TableIcon } from '#ui/text/table-icon.tsx';
import { DuplicateApp } from '../duplicate-app.tsx';

/** Login options shown as tick columns (spec 2 §2). */
const TICKS = ['didEnabled', 'webAuthnEnabled', 'forceAuthnEnabled'] as const;

const NameLink = chakra(Link, {
  base: { fontWeight: 'medium', borderRadius: 'xs', outline: '0', focusVisibleRing: 'outside' },
});

function Frame({ maxH, children }: { maxH?: string; children: ReactNode }) {
  const ticks = TICKS.map((option) => ({ text: optionText[option].label, textAlign: 'center' as const }));
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

/** Shows how long a browser is actually remembered, with a hint if another setting decides. */
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
  const has = (option: Parameters<typeof canHave>[1]) => app.hasSignIn && canHave(app.integrationType, option);
  return (
    // The whole row is clickable; keyboards and screen readers use its link.
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
  /** Setting of this application alone. */
  isOn: boolean;
  organisation: OrgLoginOptions;
}

/** Shows the effective option: the organisation's setting with its reason, if it overrides the application's. */
function OptionTick({ option, isOn, organisation }: OptionTickProps) {
  const { label } = optionText[option];
  const ruling = rulingOf(option, organisation);
  if (ruling) return <BooleanIcon isOn={ruling.isOn} meaning={`${label}: ${ruling.reason}`} isOverridden />;
  return <BooleanIcon isOn={isOn} meaning={isOn ? t`${label} enabled` : t`${label} disabled`} />;
}

/** Replaces a login option that this type of application can't have. */
function NotAvailable({ app: { hasSignIn, integrationType } }: { app: Application }) {
  const type = integrationType.toUpperCase();
  return (
    <TableIcon
      meaning={hasSignIn ? t`Not available with ${type}` : t`No one signs in to a service client`}
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

/** Lists an organisation's applications in a table of at most 550 px with a sticky header. */
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

/** Six skeleton rows. */
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
