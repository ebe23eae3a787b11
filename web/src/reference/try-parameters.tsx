import { Input } from '@chakra-ui/react';
import { FormField } from '../ui/form-field.tsx';
import type { Parameter } from './documents.ts';
import type { useRequestDraft } from './use-request-draft.ts';

interface TryParametersProps {
  parameters: readonly Parameter[];
  draft: ReturnType<typeof useRequestDraft>;
}

/** A field for each part of the address. */
export function TryParameters({ parameters, draft: { draft, change } }: TryParametersProps) {
  return parameters.map(({ name, in: where, required }) => {
    if (where === 'header') return null;
    const part = where === 'path' ? 'params' : 'query';
    return (
      <FormField key={`${where} ${name}`} label={name} isRequired={required}>
        <Input
          value={draft[part][name] ?? ''}
          autoComplete="off"
          spellCheck={false}
          onChange={({ target }) => change({ [part]: { ...draft[part], [name]: target.value } })}
        />
      </FormField>
    );
  });
}
