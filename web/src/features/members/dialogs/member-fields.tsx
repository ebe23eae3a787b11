import { Button, Flex, Text } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { FieldError } from '#ui/form/form-field.tsx';
import { MemberPicker } from '../shared/member-choice.tsx';
import { useMemberName } from '../shared/names.ts';

/** Switches for the apps that a member is allowed to use. */
export const APP_SWITCHES = [
  { name: 'hasPermissionForMobileApp', app: 'mobile', label: t`Can use the mobile app` },
  { name: 'hasPermissionForWindowsApp', app: 'desktop', label: t`Can use the desktop app` },
] as const;

interface ManagerFieldProps {
  /** ID of the manager, or undefined if there is none. */
  suid: string | undefined;
  onChange: (suid: string | undefined) => void;
  /** Reason why the manager can't be changed. */
  lockedBecause?: string | undefined;
  error?: string | undefined;
}

/** Selects a member's manager. */
export function ManagerField({ suid, onChange, lockedBecause, error }: ManagerFieldProps) {
  return (
    <>
      <Flex direction="column" gap="1.5">
        <Text aria-hidden={!suid && !lockedBecause} textStyle="sm" fontWeight="medium">
          {t`Manager`}
        </Text>
        {suid ? (
          <Manager suid={suid} onRemove={lockedBecause ? undefined : () => onChange(undefined)} />
        ) : lockedBecause ? (
          <Text>{t`None`}</Text>
        ) : (
          <MemberPicker label={t`Manager`} onChoose={(member) => onChange(member.suid)} />
        )}
      </Flex>
      {lockedBecause && (
        <Text textStyle="sm" color="fg.muted">
          {lockedBecause}
        </Text>
      )}
      {error && <FieldError>{error}</FieldError>}
    </>
  );
}

function Manager({ suid, onRemove }: { suid: string; onRemove: (() => void) | undefined }) {
  const name = useMemberName(suid);
  return (
    <Flex align="center" justify="space-between" gap="3">
      <Text>{name}</Text>
      {onRemove && (
        <Button type="button" variant="outline" size="sm" onClick={onRemove}>
          {t`Remove manager`}
        </Button>
      )}
    </Flex>
  );
}
