import { useState } from 'react';
import type { Operation } from './operations.ts';

/** Input of a request. Starts as the recorded example. */
export interface RequestDraft {
  params: Record<string, string>;
  query: Record<string, string>;
  /** JSON text, or '' for no body. */
  body: string;
}

/** Manages the request that the code samples and the form share. */
export function useRequestDraft(operation: Operation) {
  const [edited, setEdited] = useState<{ id: string; draft: RequestDraft }>();
  const draft = edited?.id === operation.id ? edited.draft : exampleOf(operation);
  const body = parsed(draft.body);
  return {
    draft,
    change: (changed: Partial<RequestDraft>) => setEdited({ id: operation.id, draft: { ...draft, ...changed } }),
    isValid: body.isValid,
    parts: { params: draft.params, query: draft.query, body: body.value },
  };
}

function exampleOf({ parameters, body }: Operation): RequestDraft {
  const given = (where: string) =>
    Object.fromEntries(
      parameters
        .filter((parameter) => parameter.in === where)
        .map(({ name, example }) => [name, example === undefined ? '' : String(example)]),
    );
  const isJson = body?.type === 'application/json';
  const example = body?.example ?? (body?.isRequired ? {} : undefined);
  return {
    params: given('path'),
    query: given('query'),
    body: isJson && example !== undefined ? JSON.stringify(example, null, 2) : '',
  };
}

function parsed(text: string): { isValid: boolean; value: unknown } {
  if (text.trim() === '') return { isValid: true, value: undefined };
  try {
    return { isValid: true, value: JSON.parse(text) };
  } catch {
    return { isValid: false, value: text };
  }
}
