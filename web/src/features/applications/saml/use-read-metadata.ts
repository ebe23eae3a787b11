import { type InputOf, readSamlMetadata } from '@orchestrate/shared';
import { useEffect, useEffectEvent, useState } from 'react';
import { useFormContext } from 'react-hook-form';
import { ApiRefusal } from '../../../lib/api/api-refusal.ts';
import { call } from '../../../lib/api/call.ts';
import { resultText } from '../../../lib/notices/result-text.ts';
import type { AppForm } from '../editor/app-form.ts';
import { useOrgCode } from '../use-applications.ts';

type Source = InputOf<typeof readSamlMetadata>['body'];

/** Errors in metadata, in the words of the server, which alone has read them. */
const problemOf = (failure: unknown) =>
  (failure instanceof ApiRefusal && failure.issues[0]?.message) || resultText(failure);

/**
 * Lets the server read metadata and puts the result into the form; calls `onRead` on success. `forget` takes back what
 * was complained of before.
 */
export function useReadMetadata(onRead: () => void) {
  const orgCode = useOrgCode();
  const { clearErrors, setValue } = useFormContext<AppForm>();
  const [isReading, setIsReading] = useState(false);
  const [problem, setProblem] = useState<string>();

  const read = async (source: Source) => {
    setIsReading(true);
    setProblem(undefined);
    try {
      const { metadata, serviceProvider } = await call(readSamlMetadata, { params: { orgCode }, body: source });
      setValue('saml.serviceProvider', serviceProvider);
      setValue('saml.metadata', metadata, { shouldDirty: true, shouldValidate: true });
      // The server found no key in what was here before.
      clearErrors('saml.encryptAssertions');
      onRead();
    } catch (failure) {
      setProblem(problemOf(failure));
    } finally {
      setIsReading(false);
    }
  };
  const forget = () => {
    setProblem(undefined);
    clearErrors('saml.metadata');
  };
  return { read, isReading, problem, forget };
}

/** Takes what was typed when the form is submitted and misses it: not everybody presses the button beside it first. */
export function useWhenMissed(isMissed: boolean, take: () => void): void {
  const onMissed = useEffectEvent(take);
  useEffect(() => {
    if (isMissed) onMissed();
  }, [isMissed]);
}
