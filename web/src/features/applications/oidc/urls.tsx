import { Box } from '@chakra-ui/react';
import { Trans } from '@lingui/react/macro';
import { useEffect, useEffectEvent, useState } from 'react';
import { type Control, useFieldArray, useFormContext, useWatch } from 'react-hook-form';
import { useLocation, useNavigate } from 'react-router-dom';
import { AlertLine } from '#ui/feedback/alert-line.tsx';
import { hostIn } from '../editor/address-with-host.tsx';
import type { AppForm } from '../editor/app-form.ts';
import { UrlListField } from './url-list-field.tsx';

interface UrlsProps {
  name: 'oidc.callbackUrls' | 'oidc.logoutUrls';
  label: string;
  help: string;
  isRequired: boolean;
  /** An address to fill in without saving it. */
  offered?: string | undefined;
}

/** Edits a list of the application's addresses. */
export function Urls({ name, label, help, isRequired, offered }: UrlsProps) {
  const { control, register, getFieldState, formState, ...form } = useFormContext<AppForm>();
  const { fields, append, remove } = useFieldArray({ control: control as Control<AppForm>, name });
  const [filled, setFilled] = useState<number>();
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const fillIn = useEffectEvent((address: string) => {
    const rows = form.getValues(name) ?? [];
    const found = rows.findIndex(({ value }) => value.trim() === address);
    const at = found >= 0 ? found : rows.findIndex(({ value }) => value.trim() === '');
    if (at < 0) append({ value: address }, { shouldFocus: false });
    else form.setValue(`${name}.${at}.value`, address, { shouldDirty: true });
    setFilled(at < 0 ? rows.length : at);
    // The address is filled in once, not again after Back or a reload.
    void navigate(pathname, { replace: true, state: null });
  });
  useEffect(() => {
    if (offered !== undefined) fillIn(offered);
  }, [offered]);
  const { setFocus } = form;
  useEffect(() => {
    if (filled !== undefined) setFocus(`${name}.${filled}.value`);
  }, [filled, name, setFocus]);
  return (
    <UrlListField
      label={label}
      help={help}
      isRequired={isRequired}
      rows={fields}
      inputOf={(row) => register(`${name}.${row}.value`)}
      errorOf={(row) => getFieldState(`${name}.${row}.value`, formState).error?.message}
      onAdd={() => append({ value: '' })}
      onRemove={remove}
    />
  );
}

/** Returns the address that a link to this page wants to fill in, and the last one that was filled in. */
export function useOfferedCallback(): { address: string | undefined; last: string | undefined } {
  const state: unknown = useLocation().state;
  const isOffer = typeof state === 'object' && state !== null && 'callbackUrl' in state;
  const address = isOffer && typeof state.callbackUrl === 'string' ? state.callbackUrl : undefined;
  const [last, setLast] = useState<string>();
  if (address !== undefined && address !== last) setLast(address);
  return { address, last: address ?? last };
}

interface UnsavedCallbackProps {
  name: string;
  address: string | undefined;
  saved: readonly string[];
}

/** Asks for a second look at an address that comes from a refused sign-in, which anyone could have sent. */
export function UnsavedCallback({ name, address, saved }: UnsavedCallbackProps) {
  const rows = useWatch<AppForm, 'oidc.callbackUrls'>({ name: 'oidc.callbackUrls' });
  if (!address || saved.includes(address) || !rows?.some(({ value }) => value === address)) return null;
  return (
    <AlertLine tone="warning">
      <Trans>
        Not saved yet. After Submit, people who sign in can be sent to{' '}
        <Box as="strong" fontFamily="mono" overflowWrap="anywhere">
          {hostIn(address)}
        </Box>
        . Continue only if this host belongs to {name}.
      </Trans>
    </AlertLine>
  );
}
