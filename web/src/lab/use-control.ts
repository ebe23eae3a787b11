import type { EndpointDefinition, InputOf } from '@orchestrate/shared';
import { useState } from 'react';
import { ApiRefusal } from '#lib/api/api-refusal.ts';
import type { Replied } from '#lib/api/call.ts';
import { useWrite } from '#lib/api/use-write.ts';
import { resultText } from '#lib/notices/result-text.ts';

/** The error of each field, by name; errors of no field are at `root`. */
export type Mistakes = Partial<Record<string, string>>;

/**
 * A form of the lab. Input is sent without validation, so that the page displays the same errors as the API.
 * @param fields names of the form's fields in the contract
 */
export function useControl<E extends EndpointDefinition>(entry: E, fields: readonly string[]) {
  const [mistakes, setMistakes] = useState<Mistakes>({});
  const { run, isPending } = useWrite(entry);

  /** Returns the reply, or null if the portal refused; `mistakes` then contains the errors. */
  const send = async (body: unknown): Promise<Replied<E> | null> => {
    try {
      // The portal validates the type.
      const input: object = { body };
      const reply = await run(input as InputOf<E>);
      setMistakes({});
      return reply;
    } catch (failure) {
      const issues = failure instanceof ApiRefusal ? failure.issues : [];
      setMistakes(issues.length > 0 ? mistakesOf(issues, fields) : { root: resultText(failure) });
      return null;
    }
  };
  return { send, mistakes, setMistakes, isPending };
}

/** Returns the first error of each field. Errors of nested values, such as a header, start with their path. */
function mistakesOf(issues: ApiRefusal['issues'], fields: readonly string[]): Mistakes {
  return Object.fromEntries(
    issues.toReversed().map(({ path, message }) => {
      const parts = path.split('.');
      const at = parts.findLastIndex((part) => fields.includes(part));
      const deeper = parts.slice(at + 1).join('.');
      return [parts[at] ?? 'root', deeper ? `${deeper}: ${message}` : message];
    }),
  );
}
