import { Box, Flex, Grid, Text } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import type { LoginRecord } from '@orchestrate/shared';
import { Globe } from 'lucide-react';
import type { ReactNode } from 'react';
import { formatDateTime } from '#lib/format/dates.ts';
import { StatusBadge } from '#ui/feedback/status-badge.tsx';
import { DeviceIcon } from '#ui/text/device-icon.tsx';
import { IconTile } from '#ui/text/icon-tile.tsx';

/** Returns the device's nickname or name, or 'Browser' if no device was used. */
export const signInDeviceLabel = ({ nickName, device }: LoginRecord): string => nickName || device || t`Browser`;

/** Icon for the device type; a globe for a browser without a device. */
export function SignInDeviceIcon({ type }: { type: LoginRecord['deviceType'] }) {
  if (type) return <DeviceIcon type={type} hasTile />;
  return (
    <IconTile>
      <Globe size={16} strokeWidth={1.75} aria-hidden />
    </IconTile>
  );
}

/** Badge with the result of a sign-in. Any status except Success is displayed as Failed (spec 1 §3). */
export function SignInStatus({ status }: { status: LoginRecord['loginStatus'] }) {
  return status === 'Success' ? (
    <StatusBadge status={t`Success`} tone="success" />
  ) : (
    <StatusBadge status={t`Failed`} tone="danger" />
  );
}

/** One sign-in as a list row. */
export function SignInEntry({ record, action }: { record: LoginRecord; action?: ReactNode }) {
  return (
    <Flex
      as="li"
      align="center"
      // If space is short, wrap the action to the next line instead of breaking the time.
      wrap="wrap"
      justify="flex-end"
      columnGap="3"
      rowGap="1"
      px="5"
      py="3.5"
      borderTopWidth="1px"
      _first={{ borderTopWidth: '0' }}
    >
      <SignInDeviceIcon type={record.deviceType} />
      <Grid flex="1" minW="56" templateColumns="minmax(0, 1fr) auto" columnGap="3" alignItems="center">
        <Text fontWeight="semibold" overflowWrap="anywhere">
          {signInDeviceLabel(record)}
        </Text>
        <Box justifySelf="end">
          <SignInStatus status={record.loginStatus} />
        </Box>
        <Text textStyle="sm" color="fg.muted" overflowWrap="anywhere">
          {record.appName}
        </Text>
        <Text textStyle="sm" color="fg.muted" whiteSpace="nowrap" textAlign="end">
          {formatDateTime(record.timestamp)}
        </Text>
      </Grid>
      {action}
    </Flex>
  );
}
