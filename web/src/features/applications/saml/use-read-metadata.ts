import { type InputOf, readSamlMetadata } from '@orchestrate/shared';
import { use, useEffect, useEffectEvent, useState } from 'react';
import { useFormContext } from 'react-hook-form';
import { ApiRefusal } from '#lib/api/api-refusal.ts';
import { call } from '#lib/api/call.ts';
import { resultText } from '#lib/notices/result-text.ts';
import {
  type AppForm,
  NO_UNPARSED_METADATA,
  PendingMetadataUpload,
  type UnparsedMetadata,
} from '../editor/app-form.ts';
import { useOrgCode } from '../use-applications.ts';

type Source = InputOf<typeof readSamlMetadata>['body'];

/** Returns the server's error for the metadata, which only the server parses. */
const problemOf = (failure: unknown) =>
  (failure instanceof ApiRefusal && failure.issues[0]?.message) || resultText(failure);

/** Returns the service providers to choose from, if the metadata describes several. */
const entityIdsOf = (failure: unknown): string[] | undefined => {
  const body = failure instanceof ApiRefusal && 'entityIds' in failure.body ? failure.body.entityIds : undefined;
  return Array.isArray(body) ? body.map(String) : undefined;
};

const REFUSED = 'refused';

/**
 * Sends metadata to the server, puts the result into the form and calls `onRead` on success. Until then, the form
 * keeps the unread input. `forget` clears earlier errors.
 */
export function useReadMetadata(onRead: () => void) {
  const orgCode = useOrgCode();
  const { clearErrors, formState, getValues, setError, setValue } = useFormContext<AppForm>();
  const [isReading, setIsReading] = useState(false);
  const [choice, setChoice] = useState<{ source: Source; entityIds: readonly string[] }>();
  const wrong = formState.errors.saml?.unread;

  const type = (typed: Partial<UnparsedMetadata>) =>
    setValue('saml.unread', { ...NO_UNPARSED_METADATA, ...getValues('saml.unread'), ...typed }, { shouldDirty: true });
  const forget = () => {
    clearErrors(['saml.metadata', 'saml.unread']);
    setChoice(undefined);
  };
  const pending = use(PendingMetadataUpload);
  const startReading = async (given: Source | Promise<Source>): Promise<boolean> => {
    setIsReading(true);
    forget();
    const source = await given;
    try {
      const { metadata, serviceProvider } = await call(readSamlMetadata, { params: { orgCode }, body: source });
      setValue('saml.unread', NO_UNPARSED_METADATA, { shouldDirty: true });
      setValue('saml.serviceProvider', serviceProvider);
      setValue('saml.metadata', metadata, { shouldDirty: true, shouldValidate: true });
      // Clears the error that the previous metadata lacked an encryption key.
      clearErrors('saml.encryptAssertions');
      onRead();
      return true;
    } catch (failure) {
      const entityIds = entityIdsOf(failure);
      setChoice(entityIds && { source, entityIds });
      setError('saml.unread', { type: REFUSED, message: problemOf(failure) });
      return false;
    } finally {
      setIsReading(false);
    }
  };
  const read = async (source: Source | Promise<Source>): Promise<void> => {
    const reading = startReading(source);
    pending.current = reading;
    await reading;
    if (pending.current === reading) pending.current = Promise.resolve(true);
  };
  const isRefused = wrong?.type === REFUSED;
  return {
    read,
    isReading,
    /** Service providers to choose from, or undefined unless there are several. */
    choices: choice?.entityIds,
    choose: (chosenEntityId: string) => (choice ? read({ ...choice.source, chosenEntityId }) : undefined),
    /** Server's reason for rejecting the metadata. */
    problem: isRefused ? wrong?.message : undefined,
    /** True if the form was submitted before the metadata was read. */
    isUnread: wrong !== undefined && !isRefused,
    type,
    forget,
  };
}

/** Calls `take` when the form is submitted with unread input, for people who skip the button next to the input. */
export function useOnMissedSubmit(isMissed: boolean, take: () => void): void {
  const onMissed = useEffectEvent(take);
  useEffect(() => {
    if (isMissed) onMissed();
  }, [isMissed]);
}
