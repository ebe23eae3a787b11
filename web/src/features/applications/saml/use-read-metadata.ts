import { type InputOf, readSamlMetadata } from '@orchestrate/shared';
import { use, useEffect, useEffectEvent, useState } from 'react';
import { useFormContext } from 'react-hook-form';
import { ApiRefusal } from '#lib/api/api-refusal.ts';
import { call } from '#lib/api/call.ts';
import { resultText } from '#lib/notices/result-text.ts';
import { type AppForm, NOTHING_UNREAD, PendingReading, type UnreadMetadata } from '../editor/app-form.ts';
import { useOrgCode } from '../use-applications.ts';

type Source = InputOf<typeof readSamlMetadata>['body'];

/** Errors in metadata, in the words of the server, which alone has read them. */
const problemOf = (failure: unknown) =>
  (failure instanceof ApiRefusal && failure.issues[0]?.message) || resultText(failure);

/** The service providers of metadata that describe several. */
const entityIdsOf = (failure: unknown): string[] | undefined => {
  const body = failure instanceof ApiRefusal && 'entityIds' in failure.body ? failure.body.entityIds : undefined;
  return Array.isArray(body) ? body.map(String) : undefined;
};

const REFUSED = 'refused';

/**
 * Lets the server read metadata and puts the result into the form; calls `onRead` on success. Until it is read, the
 * form keeps what was typed. `forget` takes back what was complained of before.
 */
export function useReadMetadata(onRead: () => void) {
  const orgCode = useOrgCode();
  const { clearErrors, formState, getValues, setError, setValue } = useFormContext<AppForm>();
  const [isReading, setIsReading] = useState(false);
  const [choice, setChoice] = useState<{ source: Source; entityIds: readonly string[] }>();
  const wrong = formState.errors.saml?.unread;

  const type = (typed: Partial<UnreadMetadata>) =>
    setValue('saml.unread', { ...NOTHING_UNREAD, ...getValues('saml.unread'), ...typed }, { shouldDirty: true });
  const forget = () => {
    clearErrors(['saml.metadata', 'saml.unread']);
    setChoice(undefined);
  };
  const pending = use(PendingReading);
  const startReading = async (given: Source | Promise<Source>): Promise<boolean> => {
    setIsReading(true);
    forget();
    const source = await given;
    try {
      const { metadata, serviceProvider } = await call(readSamlMetadata, { params: { orgCode }, body: source });
      setValue('saml.unread', NOTHING_UNREAD, { shouldDirty: true });
      setValue('saml.serviceProvider', serviceProvider);
      setValue('saml.metadata', metadata, { shouldDirty: true, shouldValidate: true });
      // The server found no key in what was here before.
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
    /** The service providers in it, of which one has to be chosen; undefined unless there are several. */
    choices: choice?.entityIds,
    choose: (chosenEntityId: string) => (choice ? read({ ...choice.source, chosenEntityId }) : undefined),
    /** Why the server could not read it. */
    problem: isRefused ? wrong?.message : undefined,
    /** Whether the form was submitted before it was read. */
    isUnread: wrong !== undefined && !isRefused,
    type,
    forget,
  };
}

/** Takes what was typed when the form is submitted and misses it: not everybody presses the button beside it first. */
export function useWhenMissed(isMissed: boolean, take: () => void): void {
  const onMissed = useEffectEvent(take);
  useEffect(() => {
    if (isMissed) onMissed();
  }, [isMissed]);
}
