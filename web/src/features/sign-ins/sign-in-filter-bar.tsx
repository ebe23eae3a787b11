import { Button, Flex, Input } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { listApps } from '@orchestrate/shared';
import { X } from 'lucide-react';
import { useState } from 'react';
import { PeriodFilter } from '../../events/period-filter.tsx';
import { useTypedQuery } from '../../lib/address/use-typed-query.ts';
import { useRead } from '../../lib/api/use-read.ts';
import { useCan, useSession } from '../../lib/session/session.ts';
import { loginModeLabel, loginModes } from '../../login-history/login-mode-label.ts';
import type { SignInAddress } from '../../login-history/sign-ins-address.ts';
import { ChooseMemberDialog } from '../../members/choose-member-dialog.tsx';
import { useMemberName } from '../../members/use-member-name.ts';
import { Select } from '../../ui/select.tsx';
import type { SignInFilters } from './use-sign-in-filters.ts';

interface SignInFilterBarProps {
  address: SignInFilters;
  onChange: (changed: SignInAddress) => void;
}

/** The portal's own sign-ins, as the server calls them. */
const PORTAL = 'portal';

/** Filters of the list of sign-ins. */
export function SignInFilterBar({ address, onChange }: SignInFilterBarProps) {
  const orgCode = useSession()?.orgId ?? '';
  const { data } = useRead(listApps, orgCode ? { params: { orgCode } } : null);
  const { typed, type, submit } = useTypedQuery(address.ip ?? '', (ip) => onChange({ ip }));
  const apps = data?.apps.filter(({ integrationType }) => integrationType !== 'portal') ?? [];
  const isKnown = !address.appId || address.appId === PORTAL || apps.some(({ appId }) => appId === address.appId);
  return (
    <Flex gap="3" wrap="wrap" align="center" role="search" aria-label={t`Sign-ins`}>
      <Select
        aria-label={t`Result`}
        width="44"
        value={address.status ?? ''}
        onChange={({ target }) => onChange({ status: target.value })}
      >
        <option value="">{t`Any result`}</option>
        <option value="Success">{t`Success`}</option>
        <option value="Failed">{t`Failed`}</option>
      </Select>
      <PersonFilter address={address} onChange={onChange} />
      <Select
        aria-label={t`Application`}
        width="44"
        value={address.appId ?? ''}
        onChange={({ target }) => onChange({ appId: target.value })}
      >
        <option value="">{t`Any application`}</option>
        <option value={PORTAL}>{t`The portal itself`}</option>
        {apps.map(({ appId, name }) => (
          <option key={appId} value={appId}>
            {name}
          </option>
        ))}
        {!isKnown && <option value={address.appId}>{data ? t`A deleted application` : t`One application`}</option>}
      </Select>
      <Select
        aria-label={t`How`}
        width="44"
        value={address.mode ?? ''}
        onChange={({ target }) => onChange({ mode: target.value })}
      >
        <option value="">{t`In any way`}</option>
        {loginModes.map((mode) => (
          <option key={mode} value={mode}>
            {loginModeLabel(mode)}
          </option>
        ))}
      </Select>
      <Input
        aria-label={t`From address`}
        placeholder={t`Any address`}
        w="36"
        maxLength={64}
        autoComplete="off"
        spellCheck={false}
        value={typed}
        onChange={({ target }) => type(target.value)}
        onKeyDown={({ key }) => key === 'Enter' && submit()}
      />
      <PeriodFilter period={address} onChange={({ from, to }) => onChange({ from, to })} />
    </Flex>
  );
}

function PersonFilter({ address: { suid }, onChange }: SignInFilterBarProps) {
  const [isChoosing, setIsChoosing] = useState(false);
  const maySearch = useCan('SEARCH_USER');
  const name = useMemberName(suid);
  if (suid)
    return (
      <Button variant="outline" aria-label={t`Remove filter: ${name}`} onClick={() => onChange({ suid: undefined })}>
        {name}
        <X aria-hidden />
      </Button>
    );
  if (!maySearch) return null;
  return (
    <>
      <Button variant="outline" fontWeight="normal" onClick={() => setIsChoosing(true)}>
        {t`Any member…`}
      </Button>
      <ChooseMemberDialog
        isOpen={isChoosing}
        onClose={() => setIsChoosing(false)}
        onChoose={(member) => onChange({ suid: member.suid })}
      />
    </>
  );
}
