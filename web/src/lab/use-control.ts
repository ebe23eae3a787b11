import type { EndpointDefinition, InputOf } from '@orchestrate/shared';
import { useState } from 'react';
import { ApiRefusal } from '#lib/api/api-refusal.ts';
import type { Replied } from '#lib/api/call.ts';
import { useWrite } from '#lib/api/use-write.ts';
import { resultText } from '#lib/notices/result-text.ts';

/** What is wrong with each field of a form, by its name; what no field shows is at `root`. */
export type Mistakes = Partial<Record<string, string>>;

/**
 * A form of the lab. What was typed is sent as it is: the portal says what is wrong, so that the page and every other
 * client hear the same sentences.
 * @param fields which the form shows, by their names in the contract
 */
export function useControl<E extends EndpointDefinition>(entry: E, fields: readonly string[]) {
  const [mistakes, setMistakes] = useState<Mistakes>({});
  const { run, isPending } = useWrite(entry);

  /** The answer; null where the portal refused, and `mistakes` say why. */
  const send = async (body: unknown): Promise<Replied<E> | null> => {
    try {
      // Whether it has the type is for the portal to say.
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

/**
 * The first mistake of each field. One deeper than a field, such as in one of its headers, says where; so does one of
 * no field.
 */
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
