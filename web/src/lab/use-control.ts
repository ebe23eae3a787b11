import type { EndpointDefinition, InputOf } from '@orchestrate/shared';
import { useState } from 'react';
import { ApiRefusal } from '#lib/api/api-refusal.ts';
import type { Replied } from '#lib/api/call.ts';
import { useWrite } from '#lib/api/use-write.ts';
import { resultText } from '#lib/notices/result-text.ts';

/** Error messages by field name. Errors that don't belong to a field are under `root`. */
export type ErrorsByField = Partial<Record<string, string>>;

/**
 * State of a lab form. Input is sent without client-side validation, so that the form shows the same errors as the
 * API.
 * @param fields names of the form's fields in the contract
 */
export function useLabForm<E extends EndpointDefinition>(entry: E, fields: readonly string[]) {
  const [errors, setErrors] = useState<ErrorsByField>({});
  const { run, isPending } = useWrite(entry);

  /**
   * Sends the form. Returns the reply, or null if the portal refused the request. `errors` then contains the reasons.
   */
  const send = async (body: unknown, params?: Record<string, string>): Promise<Replied<E> | null> => {
    try {
      // Skip the type check, because the portal validates the input.
      const input: object = { body, ...(params && { params }) };
      const reply = await run(input as InputOf<E>);
      setErrors({});
      return reply;
    } catch (failure) {
      const issues = failure instanceof ApiRefusal ? failure.issues : [];
      setErrors(issues.length > 0 ? errorsByField(issues, fields) : { root: resultText(failure) });
      return null;
    }
  };
  return { send, errors, setErrors, isPending };
}

/**
 * Returns the first error of each field. An error in a nested value, such as a header, starts with the value's path.
 */
function errorsByField(issues: ApiRefusal['issues'], fields: readonly string[]): ErrorsByField {
  return Object.fromEntries(
    issues.toReversed().map(({ path, message }) => {
      const parts = path.split('.');
      const at = parts.findLastIndex((part) => fields.includes(part));
      const deeper = parts.slice(at + 1).join('.');
      return [parts[at] ?? 'root', deeper ? `${deeper}: ${message}` : message];
    }),
  );
}
